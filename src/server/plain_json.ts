/** JSON of requests, without the packages that read unusual bodies. */
import { readsOtherwise } from './json_numbers.ts'

/** Deeper JSON is refused. spring: libfc/include/fc/io/json.hpp DEFAULT_MAX_RECURSION_DEPTH */
export const MAX_DEPTH = 200

/**
 * The value of a JSON text that needs no closer look; undefined for every other one, which `json_body.ts`
 * reads or refuses.
 */
export function plainJson(text: string): unknown {
  if (readsOtherwise(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return depthExceeds(value, MAX_DEPTH) ? undefined : value
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether arrays and objects are nested deeper than `limit`; without recursion. */
export function depthExceeds(value: unknown, limit: number): boolean {
  let level: object[] = isContainer(value) ? [value] : []
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true
    const below: object[] = []
    for (const container of level) {
      const items: unknown[] = Array.isArray(container) ? container : Object.values(container)
      for (const item of items) if (isContainer(item)) below.push(item)
    }
    level = below
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
