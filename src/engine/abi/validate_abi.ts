import { check, fail } from '../errors.ts'
import type { StructDef } from './abi_def.ts'
import type { AbiTypes } from './abi_types.ts'
import type { ConversionBudget } from './conversion_budget.ts'
import { withoutExtension } from './abi_types.ts'

/** Entries in the order of their names, which decides which fault is reported. */
function sorted<K extends string | bigint, V>(map: Map<K, V>): [K, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

/**
 * Refuses ABIs with unknown or circular types.
 * @throws ChainError abi_circular_def_exception, invalid_type_inside_abi,
 *   abi_recursion_depth_exception; abi_serialization_deadline_exception if the validation exceeds
 *   the budget.
 * spring: libraries/chain/abi_serializer.cpp abi_serializer::validate
 */
export function validateAbi(types: AbiTypes, budget: ConversionBudget): void {
  const known = (type: string): void => {
    check(types.isType(type, 1, budget), 'invalid_type_inside_abi', type)
  }
  checkAliases(types)
  for (const [, type] of sorted(types.typedefs)) known(type)
  const sound = new Set<string>()
  for (const [, struct] of sorted(types.structs)) {
    checkBases(types, struct, sound, budget)
    for (const field of struct.fields) {
      const type = withoutExtension(field.type)
      check(types.isType(type, 1, budget), 'invalid_type_inside_abi', field.type)
    }
  }
  for (const [, variant] of sorted(types.variants)) variant.types.forEach(known)
  for (const [, type] of sorted(types.actions)) known(type)
  for (const [, type] of sorted(types.tables)) known(type)
  for (const [, type] of sorted(types.action_results)) known(type)
}

/** Every chain of aliases must end. */
function checkAliases(types: AbiTypes): void {
  const sound = new Set<string>()
  for (const [name] of sorted(types.typedefs)) {
    const walked = new Set<string>()
    for (let at: string | undefined = name; at !== undefined; at = types.typedefs.get(at)) {
      if (sound.has(at)) break
      if (walked.has(at)) fail('abi_circular_def_exception', `Circular reference in type ${name}`)
      walked.add(at)
    }
    for (const at of walked) sound.add(at)
  }
}

/** Every chain of base structs must exist and end. */
function checkBases(
  types: AbiTypes,
  struct: StructDef,
  sound: Set<string>,
  budget: ConversionBudget,
): void {
  const walked = new Set<string>([struct.name])
  for (let at = struct; at.base !== '' && !sound.has(at.name);) {
    at = types.struct(at.base, budget)
    if (walked.has(at.name)) {
      fail('abi_circular_def_exception', `Circular reference in struct ${struct.name}`)
    }
    walked.add(at.name)
  }
  for (const name of walked) sound.add(name)
}
