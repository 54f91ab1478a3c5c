import { expect } from 'chai'
import fc from 'fast-check'
import { ChainError } from '../../../../src/engine/errors.ts'
import { concatBytes, toHex } from '../../../../src/engine/protocol/hex.ts'
import { encodeMessage } from '../../../../src/engine/protocol/net/codec.ts'
import {
  FrameReader,
  MAX_MESSAGE_SIZE,
  frame,
} from '../../../../src/engine/protocol/net/framing.ts'
import { recordedSession } from '../../../support/recorded_peers.ts'

const length = (n: number): number[] => [n, n >> 8, n >> 16, n >> 24].map((byte) => byte & 0xff)

function read(reader: FrameReader, bytes: readonly number[] | Uint8Array): string[] {
  return [...reader.push(Uint8Array.from(bytes))].map(toHex)
}

/** The message of a refusal; undefined if there is none. */
function refusal(f: () => unknown): string | undefined {
  try {
    f()
    return undefined
  } catch (error) {
    if (error instanceof ChainError) return error.message
    throw error
  }
}

describe('messages on a stream', () => {
  const messages = recordedSession('rejoin').flatMap(({ bytes }) => bytes ?? [])
  const stream = concatBytes(...messages.map(frame))

  it('a stream is cut into its messages wherever its parts end', () => {
    const expected = messages.map(toHex)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 }), (sizes) => {
        const reader = new FrameReader()
        const found: string[] = []
        for (let at = 0, i = 0; at < stream.length; i++) {
          const size = sizes[i % sizes.length]!
          found.push(...read(reader, stream.subarray(at, at + size)))
          at += size
        }
        expect(found).deep.equal(expected)
        expect(reader.buffered).equal(0)
      }),
      { numRuns: 30 },
    )
  })

  it('a stream of single bytes is cut into its messages', () => {
    const reader = new FrameReader()
    const part = concatBytes(...messages.slice(0, 6).map(frame))
    const found = [...part].flatMap((byte) => read(reader, [byte]))
    expect(found).deep.equal(messages.slice(0, 6).map(toHex))
  })

  it('a message that does not come needs no memory, and one that comes slowly no more than twice its bytes', () => {
    const reader = new FrameReader()
    read(reader, [...length(MAX_MESSAGE_SIZE), 7])
    expect(reader.reserved).lessThan(10_000)
    for (let sent = 1; sent < 200_000; sent += 1000) read(reader, new Uint8Array(1000))
    expect(reader.buffered).greaterThan(199_000)
    expect(reader.reserved).lessThan(2 * reader.buffered)
  })

  it('a length that cannot be is refused when it is there', () => {
    for (const bytes of [length(0), length(MAX_MESSAGE_SIZE + 1), length(-1)]) {
      const reader = new FrameReader()
      expect(refusal(() => read(reader, bytes.slice(0, 3)))).equal(undefined)
      expect(refusal(() => read(reader, bytes.slice(3)))).match(/length unexpected/)
    }
    expect(refusal(() => read(new FrameReader(), Buffer.from('GET / HTTP/1.1')))).match(
      /unexpected/,
    )
  })

  it('a kind that cannot be is refused before the rest of the message is awaited', () => {
    const refused = (bytes: number[]) => refusal(() => read(new FrameReader(), bytes))
    expect(refused([...length(1_000_000), 13])).match(/Invalid net_message index: 13/)
    expect(refused([...length(1_000_000), 0xff, 0xff, 0xff, 0xff, 0x0f])).match(/index: 4294967295/)
    expect(refused([...length(2), 0xff, 0xff])).match(/datastream/)
  })

  it('a length that no message of its kind has is refused at once', () => {
    const refused = (kind: number, size: number) =>
      refusal(() => read(new FrameReader(), [...length(size), kind]))
    expect(refused(3, 34)).match(/a time message of 34 bytes/)
    for (const kind of [4, 5]) expect(refused(kind, 70_000)).match(/message of 70000 bytes/)
    expect(refused(12, 3_000_000)).match(/a gossip_bp_peers message of 3000000 bytes/)
    expect(refused(9, 1025)).match(/a vote message of 1025 bytes/)
    expect(refused(0, 65 * 1024)).match(/a handshake message/)
    expect(refused(7, MAX_MESSAGE_SIZE)).equal(undefined)
  })

  it('memory for a message is reserved once, and released when it ends', () => {
    const reader = new FrameReader()
    const nack = frame(encodeMessage({ kind: 'block_nack', id: new Uint8Array(32) }))
    expect(read(reader, nack.subarray(0, 20))).deep.equal([])
    expect(reader.buffered).equal(16)
    expect(read(reader, nack.subarray(20))).have.length(1)
    expect(reader.buffered).equal(0)
  })
})
