import { MAX_ARRAY_ELEMENTS } from '../protocol/constants.ts'
import { check, fail } from '../errors.ts'
import { refuseBeyondEnd } from '../protocol/reader.ts'
import type { Writer } from '../protocol/writer.ts'
import type { StructDef, VariantDef } from './abi_def.ts'
import type { AbiContext, PathItem } from './abi_path.ts'
import { alternativeItem, fieldItem } from './abi_path.ts'
import type { AbiTypes } from './abi_types.ts'
import {
  checkDepth,
  fundamentalType,
  isArrayType,
  isExtensionType,
  isOptionalType,
  withoutExtension,
} from './abi_types.ts'
import type { Builtin } from './abi_path.ts'
import { BUILTIN_TYPES } from './builtin_types.ts'
import { asArray, isObject } from './lenient_json.ts'

/**
 * Writes one JSON value as a type. `depth` is the nesting of the caller. `extensions` says whether
 * binary extensions may be omitted, which is only permitted at the end of the whole value.
 */
export type WriteValue = (
  value: unknown,
  w: Writer,
  c: AbiContext,
  depth: number,
  extensions: boolean,
) => void

/** The reference packs into a buffer of this size. */
const MAX_PACKED_SIZE = 1024 * 1024

/** Refuses what would not fit the reference's buffer. */
function checkPackedSize(w: Writer): void {
  const over = w.length - MAX_PACKED_SIZE
  if (over > 0) refuseBeyondEnd('write', MAX_PACKED_SIZE, 1 - over)
}

/**
 * Writers of an ABI's types, each compiled at its first use.
 * spring: libraries/chain/abi_serializer.cpp _variant_to_binary
 */
export class ValueWriters {
  private readonly types: AbiTypes
  private readonly values = new Map<string, WriteValue>()

  constructor(types: AbiTypes) {
    this.types = types
  }

  /** The writer of a type; an unknown type's writer throws. */
  of(type: string): WriteValue {
    let write = this.values.get(type)
    if (!write) this.values.set(type, (write = this.compile(type)))
    return write
  }

  private compile(type: string): WriteValue {
    const resolved = this.types.resolve(type)
    const fundamental = fundamentalType(resolved)
    const builtin = BUILTIN_TYPES.get(fundamental)
    if (builtin) return builtinWriter(resolved, builtin)
    if (isArrayType(resolved)) return this.arrayWriter(fundamental)
    if (isOptionalType(resolved)) return this.optionalWriter(fundamental)
    const variant = this.types.variants.get(resolved)
    if (variant) return this.variantWriter(variant)
    const struct = this.types.structs.get(resolved)
    return struct ? this.structWriter(struct) : (_value, _w, c) => c.unknownType(type)
  }

  private arrayWriter(element: string): WriteValue {
    let write: WriteValue | undefined
    return (value, w, c, depth) => {
      checkDepth(depth + 1)
      c.step()
      c.path.hint('ARRAY')
      const values = asArray(value)
      w.varuint32(values.length)
      const writeOne = (write ??= this.of(element))
      const item: PathItem = { kind: 'element', index: 0, hint: 'UNKNOWN' }
      c.path.push(item)
      values.forEach((one, index) => {
        item.index = index
        writeOne(one, w, c, depth + 1, false)
      })
      c.path.pop()
      checkPackedSize(w)
    }
  }

  private optionalWriter(content: string): WriteValue {
    let write: WriteValue | undefined
    return (value, w, c, depth, extensions) => {
      checkDepth(depth + 1)
      c.step()
      const present = value !== null && value !== undefined
      w.bool(present)
      if (!present) return
      write ??= this.of(content)
      write(value, w, c, depth + 1, extensions)
    }
  }

  private variantWriter(variant: VariantDef): WriteValue {
    const items = variant.types.map((_, ordinal) => alternativeItem(variant, ordinal))
    // The first of equal names counts.
    const ordinals = new Map(
      variant.types.map((type, ordinal) => [type, ordinal] as const).reverse(),
    )
    return (value, w, c, depth, extensions) => {
      checkDepth(depth + 1)
      c.step()
      c.path.hint(variant.name)
      const select = chosenAlternative(ordinals, value, c)
      w.varuint32(select)
      c.path.push(items[select]!)
      this.of(variant.types[select]!)((value as unknown[])[1], w, c, depth + 1, extensions)
      c.path.pop()
    }
  }

  private structWriter(struct: StructDef): WriteValue {
    const plans = fieldPlans(struct)
    const base = struct.base === '' ? undefined : this.types.resolve(struct.base)
    let writeBase: WriteValue | undefined
    return (value, w, c, depth, extensions) => {
      checkDepth(depth + 1)
      c.step()
      c.path.hint(struct.name)
      if (isObject(value)) {
        if (base !== undefined) {
          writeBase ??= this.of(base)
          writeBase(value, w, c, depth + 1, false)
        }
        this.writeObject(plans, value, w, c, depth + 1, extensions)
      } else if (Array.isArray(value)) {
        check(
          base === undefined,
          'invalid_type_inside_abi',
          () =>
            `Using input array to specify the fields of the derived struct '${c.path}'; input arrays are currently only allowed for structs without a base`,
        )
        this.writeTuple(plans, value, w, c, depth + 1, extensions)
      } else {
        fail('pack_exception', `Unexpected input encountered while processing struct '${c.path}'`)
      }
      checkPackedSize(w)
    }
  }

  private writeObject(
    plans: FieldPlan[],
    object: Record<string, unknown>,
    w: Writer,
    c: AbiContext,
    depth: number,
    extensions: boolean,
  ): void {
    let ended = false
    for (const plan of plans) {
      const present = Object.hasOwn(object, plan.name)
      if (present || plan.optional) {
        if (ended) failField(c, 'Unexpected field', plan, 'found in input object')
        this.writeField(plan, present ? object[plan.name] : null, w, c, depth, extensions)
      } else if (plan.extension && extensions) {
        ended = true
      } else if (ended) {
        const name = c.path.shorten(plan.name)
        fail(
          'abi_exception',
          `Encountered field '${name}' without binary extension designation while processing struct '${c.path}'`,
        )
      } else {
        failField(c, 'Missing field', plan, 'in input object')
      }
    }
  }

  private writeTuple(
    plans: FieldPlan[],
    values: unknown[],
    w: Writer,
    c: AbiContext,
    depth: number,
    extensions: boolean,
  ): void {
    for (const [i, plan] of plans.entries()) {
      if (i < values.length) {
        this.writeField(plan, values[i], w, c, depth, extensions)
      } else if (plan.extension && extensions) {
        return
      } else {
        const name = c.path.shorten(plan.name)
        fail(
          'pack_exception',
          `Early end to input array specifying the fields of struct '${c.path}'; require input for field '${name}'`,
        )
      }
    }
  }

  private writeField(
    plan: FieldPlan,
    value: unknown,
    w: Writer,
    c: AbiContext,
    depth: number,
    extensions: boolean,
  ): void {
    plan.write ??= this.of(plan.type)
    c.path.push(plan.item)
    plan.write(value, w, c, depth, extensions && plan.last)
    c.path.pop()
  }
}

interface FieldPlan {
  name: string
  /** Without the extension mark. */
  type: string
  extension: boolean
  optional: boolean
  last: boolean
  item: PathItem
  write: WriteValue | undefined
}

function fieldPlans(struct: StructDef): FieldPlan[] {
  return struct.fields.map((field, ordinal) => ({
    name: field.name,
    type: withoutExtension(field.type),
    extension: isExtensionType(field.type),
    optional: isOptionalType(field.type),
    last: ordinal === struct.fields.length - 1,
    item: fieldItem(struct, ordinal),
    write: undefined,
  }))
}

function failField(c: AbiContext, what: string, plan: FieldPlan, where: string): never {
  const name = c.path.shorten(plan.name)
  const text = `${what} '${name}' ${where} while processing struct '${c.path}'`
  return fail('pack_exception', text)
}

function chosenAlternative(ordinals: Map<string, number>, value: unknown, c: AbiContext): number {
  if (!Array.isArray(value) || value.length !== 2) {
    const text = `Expected input to be an array of two items while processing variant '${c.path}'`
    return fail('pack_exception', text)
  }
  const type: unknown = value[0]
  if (typeof type !== 'string') {
    const text = `Encountered non-string as first item of input array while processing variant '${c.path}'`
    return fail('pack_exception', text)
  }
  const select = ordinals.get(type)
  if (select === undefined) {
    const name = c.path.shorten(type)
    const text = `Specified type '${name}' in input array is not valid within the variant '${c.path}'`
    return fail('pack_exception', text)
  }
  return select
}

function builtinWriter(type: string, { write, cost }: Builtin): WriteValue {
  const array = isArrayType(type)
  const optional = isOptionalType(type)
  return (value, w, c, depth) => {
    checkDepth(depth + 1)
    c.step(cost)
    if (array) {
      const values = asArray(value)
      if (values.length > MAX_ARRAY_ELEMENTS) fail('std_exception', 'too large')
      w.varuint32(values.length)
      for (const one of values) {
        c.step(cost)
        write(one, w, c)
      }
    } else if (optional) {
      const present = value !== null && value !== undefined
      w.bool(present)
      if (present) write(value, w, c)
    } else {
      write(value, w, c)
    }
    checkPackedSize(w)
  }
}
