/** A JSON value as it goes out: numbers are in the reference's format already. */
export type Json = null | boolean | number | string | Json[] | JsonObject

/** A JSON object as it goes out; keys keep the order of insertion. */
export interface JsonObject {
  [key: string]: Json
}

/**
 * Sets a property even where assignment would not create one: field names come from ABIs, and
 * assigning to `__proto__` would change the object instead.
 */
export function setProperty(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  } else {
    object[key] = value
  }
}
