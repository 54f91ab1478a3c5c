/**
 * Eight shared bytes seen as every number type. Only used within one synchronous expression.
 *
 * A module with a hot loop is better off with arrays of its own (as `reader.ts`): V8 treats a
 * module's local constants as constants, but reloads and checks imported ones.
 */
import assert from 'node:assert'

const buffer = new ArrayBuffer(8)
/** The eight bytes as bytes. */
export const scratchU8 = new Uint8Array(buffer)
/** The eight bytes as signed 32-bit integers. */
export const scratchI32 = new Int32Array(buffer)
/** The eight bytes as unsigned 32-bit integers. */
export const scratchU32 = new Uint32Array(buffer)
/** The eight bytes as an unsigned 64-bit integer. */
export const scratchU64 = new BigUint64Array(buffer)
/** The eight bytes as a signed 64-bit integer. */
export const scratchI64 = new BigInt64Array(buffer)
/** The eight bytes as 32-bit floating point numbers. */
export const scratchF32 = new Float32Array(buffer)
/** The eight bytes as a 64-bit floating point number. */
export const scratchF64 = new Float64Array(buffer)

scratchU32[0] = 1
assert.equal(scratchU8[0], 1, 'the wire is little endian, and so must the machine be')
