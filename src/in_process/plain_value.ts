import { toHex } from '../engine/index.ts'

/**
 * A value in the form in which ABIs read JSON: bigint as decimal text, bytes as hexadecimal text, a
 * date as ISO 8601 text without a zone, and what has `toJSON`, such as types of client libraries, as
 * that says.
 */
export function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (ArrayBuffer.isView(value)) {
    return toHex(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  }
  if (Object.prototype.toString.call(value) === '[object Date]') {
    return (value as Date).toISOString().slice(0, -1)
  }
  if (Array.isArray(value)) return value.map(plainValue)
  if (hasToJson(value)) return plainValue(value.toJSON())
  if (isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) =>
      field === undefined ? [] : [[key, plainValue(field)]],
    ),
  )
}

/** Whether nothing in it needs to be converted. */
function isPlain(value: object): boolean {
  for (const key in value) {
    const type = typeof (value as Record<string, unknown>)[key]
    if (type !== 'string' && type !== 'number' && type !== 'boolean') return false
  }
  return true
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function'
}
