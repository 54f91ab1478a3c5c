/**
 * Eight shared bytes seen as every number type: the cheapest way between bytes and wide numbers,
 * with no DataView per reader. Only used within one synchronous expression.
 */
import assert from 'node:assert'

const buffer = new ArrayBuffer(8)
export const scratchU8 = new Uint8Array(buffer)
export const scratchU32 = new Uint32Array(buffer)
export const scratchU64 = new BigUint64Array(buffer)
export const scratchI64 = new BigInt64Array(buffer)
export const scratchF32 = new Float32Array(buffer)
export const scratchF64 = new Float64Array(buffer)

scratchU32[0] = 1
assert.equal(scratchU8[0], 1, 'the wire is little endian, and so must the machine be')
