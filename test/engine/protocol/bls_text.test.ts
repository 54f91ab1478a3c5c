import { expect } from 'chai'
import type { ChainError } from '../../../src/engine/errors.ts'
import {
  BLS_PRIVATE_KEY_SIZE,
  BLS_PRIVATE_PREFIX,
  blsPrivateKeyFromString,
  blsPrivateKeyToString,
} from '../../../src/engine/protocol/bls_text.ts'

const CHECKSUM_BYTES = 4
const WHOLE = BLS_PRIVATE_KEY_SIZE + CHECKSUM_BYTES

describe('BLS keys as text', () => {
  /** The code of the refusal of a text with so many bytes. */
  function refusal(bytes: number): string {
    const text = BLS_PRIVATE_PREFIX + Buffer.alloc(bytes, 7).toString('base64url')
    try {
      blsPrivateKeyFromString(text)
    } catch (error) {
      return `${(error as ChainError).name}: ${(error as Error).message}`
    }
    return 'accepted'
  }

  it('are read as they were written', () => {
    const secret = new Uint8Array(BLS_PRIVATE_KEY_SIZE).fill(9)
    expect(blsPrivateKeyFromString(blsPrivateKeyToString(secret))).deep.equal(secret)
  })

  it('are refused if they are shorter or longer than a key with its checksum, or if the checksum is wrong', () => {
    for (const bytes of [
      0,
      BLS_PRIVATE_KEY_SIZE - CHECKSUM_BYTES,
      BLS_PRIVATE_KEY_SIZE,
      WHOLE - 1,
    ]) {
      expect(refusal(bytes), `${bytes} bytes`).contain('is too short')
    }
    expect(refusal(WHOLE + 1)).contain('length too long')
    expect(refusal(WHOLE)).contain('checksum')
  })
})
