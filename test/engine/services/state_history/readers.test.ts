/** Readers that are slow, ask for too much, or send nonsense: none holds back the chain or other readers. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import WebSocket from 'ws'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { HistoryServer } from '../../../../src/engine/services/state_history/history_server.ts'
import type { HistorySource } from '../../../../src/engine/services/state_history/session.ts'
import { ask } from '../../../support/http.ts'
import { until } from '../../../support/wait.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { ShipReader } from './ship_reader.ts'

const NO_BLOCKS = { begin: 0, end: 0 }
const HEAD = 1000
const BLOCK = new Uint8Array(300_000)
const ID = new Uint8Array(32).fill(7)
/** Blocks 1 to the end, all parts but traces and deltas, without a limit of messages. */
const ALL_BLOCKS = '0101000000ffffffffffffffff0000010000'
const STATUS = '00'

/** A chain of long blocks that counts how many were looked up. */
class LongBlocks implements HistorySource {
  read = 0
  readonly status = {
    head: { block_num: HEAD, block_id: ID },
    last_irreversible: { block_num: HEAD, block_id: ID },
    chain_id: ID,
    traces: NO_BLOCKS,
    deltas: NO_BLOCKS,
    finality_data: NO_BLOCKS,
  }
  blockId(): Uint8Array {
    return ID
  }
  packedBlock(): Uint8Array {
    this.read++
    return BLOCK
  }
  traces(): undefined {}
  deltas(): undefined {}
  finalityData(): undefined {}
}

/** As many as the server serves. */
const MAX_READERS = 256

describe('state history: readers', () => {
  const folder = temporaryFolder()
  let source: LongBlocks
  let server: HistoryServer
  let url: string
  beforeEach(async () => {
    source = new LongBlocks()
    server = new HistoryServer(source, {
      version: '1.2.3',
      clock: { now: () => 0 },
      log: () => undefined,
    })
    await server.listen({ address: { host: '127.0.0.1', port: 0 }, option: 'tcp' })
    url = `ws://127.0.0.1:${(server.addresses[0] as AddressInfo).port}`
  })
  afterEach(() => server.close())

  it('one that does not read costs a few messages, and others are served', async () => {
    const slow = new WebSocket(url)
    await once(slow, 'message')
    slow.pause()
    slow.send(Buffer.from(ALL_BLOCKS, 'hex'))
    await until('blocks are sent', () => source.read > 0)
    let before = -1
    await until('nothing more is looked up', async () => {
      if (before === source.read) return true
      before = source.read
      await new Promise((resolve) => setTimeout(resolve, 100))
      return false
    })
    // What the system buffers, and one message.
    expect(source.read).lessThan(100)
    const other = await ShipReader.connect(url)
    other.send(STATUS)
    await other.messages(2)
    slow.resume()
    const read = source.read
    await until('the slow reader gets on', () => source.read > read)
    slow.terminate()
    await other.close()
  })

  it('that read nothing and send long lists of positions are disconnected where these are too many', async () => {
    const POSITIONS = 400_000
    const w = new Writer(16 * 1024 * 1024)
    w.varuint32(1)
    for (const number of [1, 2 ** 32 - 1, 1]) w.u32(number)
    w.varuint32(POSITIONS)
    w.raw(new Uint8Array(36 * POSITIONS))
    w.raw(new Uint8Array(4))
    const sockets: WebSocket[] = []
    for (let i = 0; i < 4; i++) {
      const socket = new WebSocket(url)
      await once(socket, 'message')
      socket.on('error', () => undefined)
      socket.pause()
      const { read } = source
      socket.send(Buffer.from(ALL_BLOCKS, 'hex'))
      // More than the system takes for a reader that does not read, so that the server waits for it.
      await until('blocks are sent', () => source.read > read + 1)
      sockets.push(socket)
    }
    // 14 MB each: 64 MiB are kept in all.
    for (const socket of sockets) socket.send(w.view())
    await until('all have come', () => sockets.every(({ bufferedAmount }) => bufferedAmount === 0))
    const other = new WebSocket(url)
    other.on('error', () => undefined)
    await once(other, 'message')
    other.pause()
    other.send(Buffer.from(ALL_BLOCKS, 'hex'))
    other.send(w.view())
    await until('one is disconnected', () => server.readers === sockets.length)
    for (const socket of [...sockets, other]) socket.terminate()
  })

  it('that send a request in fragments of a byte are answered; compressed messages are refused', async () => {
    const reader = await ShipReader.connect(url)
    const request = Buffer.from(ALL_BLOCKS.replace('ffffffffffffffff', '02000000ffffffff'), 'hex')
    request.forEach((byte, i) =>
      reader.socket.send(Uint8Array.of(byte), { fin: i === request.length - 1 }),
    )
    await reader.messages(2)
    expect(reader.received).have.length(2)
    const offers = new WebSocket(url, { perMessageDeflate: true })
    await once(offers, 'message')
    expect(offers.extensions).equal('')
    // A frame with the mark of a compressed one: FIN, RSV1, binary; masked, no bytes.
    const raw = (offers as unknown as { _socket: Socket })._socket
    raw.write(Buffer.from('c28000000000', 'hex'))
    await once(offers, 'close')
    await reader.close()
  })

  it('one that sends many requests gets an answer to each', async () => {
    const reader = await ShipReader.connect(url)
    for (let i = 0; i < 5000; i++) reader.send(STATUS)
    await reader.messages(5001)
    expect(new Set(reader.received.slice(1))).have.property('size', 1)
    await reader.close()
  })

  it('that have disconnected are forgotten', async () => {
    const readers = await Promise.all([1, 2, 3].map(() => ShipReader.connect(url)))
    expect(server.readers).equal(3)
    for (const { socket } of readers) socket.terminate()
    await until('all are forgotten', () => server.readers === 0)
  })

  it('that are too many are refused, also if they break off meanwhile', async () => {
    const readers = await Promise.all(
      Array.from({ length: MAX_READERS }, () => ShipReader.connect(url)),
    )
    const handshake =
      'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'
    const { port } = server.addresses[0] as AddressInfo
    for (let i = 0; i < 30; i++) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(handshake, () => setTimeout(() => socket.resetAndDestroy(), 0))
      await once(socket, 'close')
    }
    const socket = connect(port, '127.0.0.1')
    socket.write(handshake)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).match(/^HTTP\/1.1 503 /)
    // The server ends the connection, though this side does not.
    await once(socket, 'close')
    for (const reader of readers) reader.socket.terminate()
    await until('all are forgotten', () => server.readers === 0)
  })

  it('may use a unix socket', async () => {
    const path = join(folder, 'history.sock')
    await server.listen({ address: { path }, option: 'unix' })
    const reader = await ShipReader.connect(`ws+unix://${path}:/`)
    reader.send(STATUS)
    await reader.messages(2)
    await reader.close()
  })

  it('that speak another protocol are told so, or closed', async () => {
    const { status } = await ask(url.replace('ws:', 'http:'), '/')
    expect(status).equal(426)
    const socket = connect((server.addresses[0] as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => undefined).resume()
    socket.write('no HTTP at all\r\n\r\n')
    await once(socket, 'close')
    const reader = await ShipReader.connect(url)
    await reader.close()
  })
})
