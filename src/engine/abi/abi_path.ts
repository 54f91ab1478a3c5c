import { fail } from '../errors.ts'
import type { StructDef, VariantDef } from './abi_def.ts'
import type { Reader } from '../protocol/reader.ts'
import type { Writer } from '../protocol/writer.ts'
import type { Json } from './json.ts'
import type { ConversionBudget } from './conversion_budget.ts'
import { VALUE_COST } from './conversion_budget.ts'

/** One step from the root of a value to the current position. */
export type PathItem =
  | { readonly kind: 'field'; readonly name: string; readonly type: string }
  | { readonly kind: 'alternative'; readonly ordinal: number; readonly type: string }
  | { readonly kind: 'element'; index: number; hint: string }

/** The step into a field of a struct. */
export const fieldItem = (struct: StructDef, ordinal: number): PathItem => {
  const { name, type } = struct.fields[ordinal]!
  return { kind: 'field', name, type }
}

/** The step into an alternative of a variant. */
export const alternativeItem = (variant: VariantDef, ordinal: number): PathItem => ({
  kind: 'alternative',
  ordinal,
  type: variant.types[ordinal]!,
})

/** A long name without its middle (spring: abi_serializer.cpp output_name). */
export function shortenName(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 55)}...${name.slice(-6)}`
}

/**
 * The position of an ABI conversion in a value, for its error messages: either the whole path
 * (`outer.list[2].field`) or, short, the type at its end.
 */
export class AbiPath {
  private readonly root: string
  private readonly items: PathItem[] = []
  private readonly full: boolean

  /** @param root the name of the whole value in messages */
  constructor(root: string, full: boolean) {
    this.root = root
    this.full = full
  }

  /** Enters a part of the present value. */
  push(item: PathItem): void {
    this.items.push(item)
  }

  /** Leaves the part that was entered last. */
  pop(): void {
    this.items.pop()
  }

  /** Notes what the elements of the array are, when the work is at an element. */
  hint(name: string): void {
    const last = this.items[this.items.length - 1]
    if (last?.kind === 'element') last.hint = name
  }

  /** A name as messages of this conversion print it. */
  shorten(name: string): string {
    return this.full ? name : shortenName(name)
  }

  /** The position as error messages show it: the whole path, or the shortened name of the type at its end. */
  toString(): string {
    return this.full ? this.fullText() : this.shortText()
  }

  private fullText(): string {
    let text = this.root
    for (const item of this.items) {
      if (item.kind === 'element') text += `[${item.index}]`
      else if (item.kind === 'field') text += `.${item.name}`
      else text += `.<variant(${item.ordinal})=${item.type}>`
    }
    return text
  }

  private shortText(): string {
    const last = this.items[this.items.length - 1]
    if (!last) return shortenName(this.root)
    return shortenName(last.kind === 'element' ? last.hint : last.type)
  }
}

/** The state of one conversion: its position, and its remaining budget. */
export class AbiContext {
  readonly path: AbiPath
  readonly budget: ConversionBudget

  constructor(path: AbiPath, budget: ConversionBudget) {
    this.path = path
    this.budget = budget
  }

  /** Pays for one value. */
  step(cost = VALUE_COST): void {
    this.budget.spend(cost)
  }

  /**
   * Refuses a name that the ABI does not know.
   * @throws ChainError invalid_type_inside_abi, always
   */
  unknownType(type: string): never {
    return fail('invalid_type_inside_abi', `Unknown type ${this.path.shorten(type)}`)
  }
}

/** A type that every ABI has: how one value is read into JSON and written from it. */
export interface Builtin {
  read: (r: Reader, c: AbiContext) => Json
  write: (value: unknown, w: Writer, c: AbiContext) => void
  /** The cost of a value for its request, if it is not VALUE_COST. */
  cost?: number
}
