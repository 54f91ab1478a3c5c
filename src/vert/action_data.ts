import type { ABI } from '@wharfkit/antelope'
import { antelope } from './antelope.ts'

/** The fields of an action: in the order of the ABI, or by name. */
export type ActionFields = unknown[] | object

/** An action's data, and its fields by name as they were given. */
export interface ActionData {
  fields: Record<string, unknown>
  data: Uint8Array
}

/**
 * Encodes the data of an action.
 * @throws Error if a field is missing, or the library's text for a value that does not fit its type
 */
export function encodeAction(
  abi: ABI,
  action: ABI.Action,
  given: ActionFields | undefined,
): ActionData {
  const { fields: types } = abi.resolveType(action.type)
  const fields: Record<string, unknown> = {}
  if (Array.isArray(given)) {
    given.forEach((value, i) => {
      const name = types?.[i]?.name
      if (name === undefined)
        throw new Error(
          `Action ${action.name} has ${types?.length ?? 0} fields, not ${given.length}`,
        )
      fields[name] = value
    })
  } else {
    for (const { name, type } of types ?? []) {
      const is_given = given !== undefined && Object.hasOwn(given, name)
      if (is_given) fields[name] = (given as Record<string, unknown>)[name]
      else if (!type.isOptional) throw new Error(`Missing field ${name} on action ${action.name}`)
    }
  }
  const data = antelope.Serializer.encode({ abi, type: action.type, object: fields }).array
  return { fields, data }
}
