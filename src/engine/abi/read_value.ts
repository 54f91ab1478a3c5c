import { MAX_ARRAY_ELEMENTS } from '../protocol/constants.ts'
import { check, fail, rethrowAs } from '../errors.ts'
import type { Reader } from '../protocol/reader.ts'
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
import type { Json, JsonObject } from './json.ts'
import { setProperty } from './json.ts'

/** Reads one value of a type; `depth` is the nesting of the caller. */
export type ReadValue = (r: Reader, c: AbiContext, depth: number) => Json

/** Adds the fields of a struct to an object. Returns the number of added fields. */
type ReadFields = (object: JsonObject, r: Reader, c: AbiContext, depth: number) => number

/**
 * Readers of an ABI's types, each compiled at its first use.
 * spring: libraries/chain/abi_serializer.cpp _binary_to_variant
 */
export class ValueReaders {
  private readonly types: AbiTypes
  private readonly values = new Map<string, ReadValue>()
  private readonly fields = new Map<string, ReadFields>()

  constructor(types: AbiTypes) {
    this.types = types
  }

  /** The reader of a type; an unknown type's reader throws. */
  of(type: string): ReadValue {
    let read = this.values.get(type)
    if (!read) this.values.set(type, (read = this.compile(type)))
    return read
  }

  private compile(type: string): ReadValue {
    const resolved = this.types.resolve(type)
    const fundamental = fundamentalType(resolved)
    const builtin = BUILTIN_TYPES.get(fundamental)
    if (builtin) return builtinReader(resolved, fundamental, builtin)
    if (isArrayType(resolved)) return this.arrayReader(fundamental)
    if (isOptionalType(resolved)) return this.optionalReader(fundamental)
    const variant = this.types.variants.get(resolved)
    return variant ? this.variantReader(variant) : this.structReader(resolved)
  }

  private arrayReader(element: string): ReadValue {
    let read: ReadValue | undefined
    return (r, c, depth) => {
      checkDepth(depth + 1)
      c.step()
      c.path.hint('ARRAY')
      const size = rethrowAs(
        'unpack_exception',
        () => `Unable to unpack size of array '${c.path}'`,
        () => r.varuint32(),
      )
      read ??= this.of(element)
      const values: Json[] = []
      const item: PathItem = { kind: 'element', index: 0, hint: 'UNKNOWN' }
      c.path.push(item)
      for (let i = 0; i < size; i++) {
        item.index = i
        values.push(read(r, c, depth + 1))
      }
      c.path.pop()
      return values
    }
  }

  private optionalReader(content: string): ReadValue {
    let read: ReadValue | undefined
    return (r, c, depth) => {
      checkDepth(depth + 1)
      c.step()
      const present = rethrowAs(
        'unpack_exception',
        () => `Unable to unpack presence flag of optional '${c.path}'`,
        () => r.u8(),
      )
      if (!present) return null
      read ??= this.of(content)
      return read(r, c, depth + 1)
    }
  }

  private variantReader(variant: VariantDef): ReadValue {
    const items = variant.types.map((_, ordinal) => alternativeItem(variant, ordinal))
    return (r, c, depth) => {
      checkDepth(depth + 1)
      c.step()
      c.path.hint(variant.name)
      const select = rethrowAs(
        'unpack_exception',
        () => `Unable to unpack tag of variant '${c.path}'`,
        () => r.varuint32(),
      )
      const type = variant.types[select]
      if (type === undefined) {
        const text = `Unpacked invalid tag (${select}) for variant '${c.path}'`
        return fail('unpack_exception', text)
      }
      c.budget.spendName(type)
      c.path.push(items[select]!)
      const value = this.of(type)(r, c, depth + 1)
      c.path.pop()
      return [type, value]
    }
  }

  private structReader(name: string): ReadValue {
    let read: ReadFields | undefined
    return (r, c, depth) => {
      checkDepth(depth + 1)
      c.step()
      const object: JsonObject = {}
      read ??= this.fieldsOf(name)
      const added = read(object, r, c, depth + 1)
      // The reference refuses structs that leave the object empty.
      check(added > 0, 'unpack_exception', () => `Unable to unpack '${c.path}' from stream`)
      return object
    }
  }

  private fieldsOf(name: string): ReadFields {
    let read = this.fields.get(name)
    if (!read) this.fields.set(name, (read = this.compileFields(name)))
    return read
  }

  private compileFields(name: string): ReadFields {
    const struct = this.types.structs.get(name)
    if (!struct) return (_object, _r, c) => c.unknownType(name)
    const base = struct.base === '' ? undefined : this.types.resolve(struct.base)
    let readBase: ReadFields | undefined
    const plans = fieldPlans(struct, this.types)
    return (object, r, c, depth) => {
      checkDepth(depth + 1)
      c.step()
      c.path.hint(name)
      let added = 0
      if (base !== undefined) {
        readBase ??= this.fieldsOf(base)
        added = readBase(object, r, c, depth + 1)
      }
      for (const plan of plans) {
        if (r.remaining() === 0) {
          if (plan.extension) continue
          endOfStream(plan, c)
        }
        plan.read ??= this.of(plan.type)
        c.budget.spendName(plan.name)
        c.path.push(plan.item)
        const value = plan.read(r, c, depth + 1)
        c.path.pop()
        setProperty(object, plan.name, value)
        added++
      }
      return added
    }
  }
}

interface FieldPlan {
  name: string
  /** Resolved, without the extension mark. */
  type: string
  extension: boolean
  /** Whether this field or one before it is a binary extension. */
  after_extension: boolean
  item: PathItem
  read: ReadValue | undefined
}

function fieldPlans(struct: StructDef, types: AbiTypes): FieldPlan[] {
  let after_extension = false
  return struct.fields.map((field, ordinal) => {
    const extension = isExtensionType(field.type)
    after_extension ||= extension
    return {
      name: field.name,
      type: types.resolve(withoutExtension(field.type)),
      extension,
      after_extension,
      item: fieldItem(struct, ordinal),
      read: undefined,
    }
  })
}

function endOfStream(plan: FieldPlan, c: AbiContext): never {
  const name = c.path.shorten(plan.name)
  if (plan.after_extension) {
    return fail(
      'abi_exception',
      `Encountered field '${name}' without binary extension designation while processing struct '${c.path}'`,
    )
  }
  return fail(
    'unpack_exception',
    `Stream unexpectedly ended; unable to unpack field '${name}' of struct '${c.path}'`,
  )
}

function builtinReader(type: string, fundamental: string, builtin: Builtin): ReadValue {
  const array = isArrayType(type)
  const optional = isOptionalType(type)
  const shape = array ? 'array of built-in' : optional ? 'optional of built-in' : 'built-in'
  const { read, cost } = builtin
  const value = array
    ? (r: Reader, c: AbiContext): Json => readVector(r, c, builtin)
    : optional
      ? (r: Reader, c: AbiContext): Json => (r.bool() ? read(r, c) : null)
      : read
  return (r, c, depth) => {
    checkDepth(depth + 1)
    c.step(cost)
    try {
      return value(r, c)
    } catch (error) {
      const text = `Unable to unpack ${shape} type '${fundamental}' while processing '${c.path}'`
      return rethrowAs('unpack_exception', text, () => {
        throw error
      })
    }
  }
}

function readVector(r: Reader, c: AbiContext, { read, cost }: Builtin): Json {
  const size = r.varuint32()
  check(size <= MAX_ARRAY_ELEMENTS, 'assert_exception', 'size.value <= MAX_NUM_ARRAY_ELEMENTS: ')
  const values: Json[] = []
  for (let i = 0; i < size; i++) {
    c.step(cost)
    values.push(read(r, c))
  }
  return values
}
