import { deflateSync } from 'node:zlib'
import { expect } from 'chai'
import { adler32 } from '../../../../src/engine/services/state_history/adler32.ts'

const SIZES = [0, 1, 2, 3, 5, 63, 64, 65, 68, 127, 128, 131, 5000, 99_999]

/** The checksum that zlib writes at the end of its stream. */
function expected(bytes: Uint8Array): number {
  const stream = deflateSync(bytes)
  return stream.readUInt32BE(stream.length - 4)
}

describe('adler32', () => {
  const bytes = Uint8Array.from({ length: 100_010 }, (_, i) => (i * 7919 + (i >> 3)) & 0xff)

  it('is the checksum of zlib, wherever the bytes begin and end', () => {
    for (let offset = 0; offset < 8; offset++) {
      for (const size of SIZES) {
        const part = bytes.subarray(offset, offset + size)
        expect(adler32(1, part), `${size} bytes at ${offset}`).equal(expected(part))
      }
    }
  })

  it('does not overflow where all bytes are as large as can be', () => {
    const large = new Uint8Array(1 << 20).fill(0xff)
    expect(adler32(1, large)).equal(expected(large))
  })

  it('continues the checksum of the bytes before', () => {
    for (const size of SIZES) {
      const first = adler32(1, bytes.subarray(0, size))
      expect(adler32(first, bytes.subarray(size))).equal(expected(bytes))
    }
  })
})
