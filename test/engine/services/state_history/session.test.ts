import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { WebSocket } from 'ws'
import { Reader } from '../../../../src/engine/protocol/reader.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import {
  Session,
  type HistorySource,
} from '../../../../src/engine/services/state_history/session.ts'
import { Turns } from '../../../../src/engine/services/state_history/turns.ts'
import { until } from '../../../support/wait.ts'

const HEAD = 5000
const POSITIONS = 3000
const FORKED = 2500

const idOf = (block_num: number): Uint8Array => {
  const id = new Uint8Array(32)
  new DataView(id.buffer).setUint32(0, block_num)
  return id
}

/** A connection that sends nothing anywhere. */
class FakeSocket extends EventEmitter {
  readonly readyState = WebSocket.OPEN
  readonly isPaused = false
  readonly sent: Uint8Array[] = []

  send(data: Uint8Array | string, _options: object, done: () => void): void {
    if (typeof data !== 'string') this.sent.push(data)
    setImmediate(done)
  }
}

class FakeSource implements HistorySource {
  looked_up = 0
  readonly status = {
    head: { block_num: HEAD, block_id: idOf(HEAD) },
    last_irreversible: { block_num: HEAD, block_id: idOf(HEAD) },
    chain_id: new Uint8Array(32),
    traces: { begin: 0, end: 0 },
    deltas: { begin: 0, end: 0 },
    finality_data: { begin: 0, end: 0 },
  }

  blockId(block_num: number): Uint8Array {
    this.looked_up++
    return idOf(block_num)
  }

  packedBlock = () => undefined
  traces = () => undefined
  deltas = () => undefined
  finalityData = () => undefined
}

/** A request of all blocks whose reader has many; one of them is of another fork. */
function request(): Buffer {
  const w = new Writer()
  w.varuint32(1)
  for (const number of [HEAD, 0xffffffff, 1]) w.u32(number)
  w.varuint32(POSITIONS)
  for (let block_num = 1; block_num <= POSITIONS; block_num++) {
    w.u32(block_num)
    w.raw(block_num === FORKED ? new Uint8Array(32) : idOf(block_num))
  }
  for (let i = 0; i < 4; i++) w.u8(0)
  return Buffer.from(w.bytes())
}

describe('a reader of state history', () => {
  it('that has many blocks does not keep the node from other work', async () => {
    const socket = new FakeSocket()
    const source = new FakeSource()
    const session = new Session(socket as unknown as WebSocket, source, {
      turns: new Turns(() => 0),
      peer: 'reader',
      log: () => {},
    })
    void session.run()
    socket.emit('message', request())
    const counts = [source.looked_up]
    await until('the block', () => {
      counts.push(source.looked_up)
      return socket.sent.length > 0
    })
    expect(source.looked_up).greaterThan(FORKED - 1)
    expect(counts[0]).equal(0)
    const r = new Reader(socket.sent[0]!)
    expect(r.varuint32()).equal(1)
    r.bytes(2 * 36)
    expect(r.bool()).equal(true)
    // Without the block of the other fork it would be the head.
    expect(r.u32()).equal(FORKED)
  })
})
