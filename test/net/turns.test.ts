/** How much a flood of one peer slows another one, measured by counts of messages. */
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { encodeMessage } from '../../src/engine/protocol/net/codec.ts'
import { frame } from '../../src/engine/protocol/net/framing.ts'
import { networkMetrics } from '../../src/engine/services/net/metrics.ts'
import { until } from '../support/wait.ts'
import { SocketNetwork } from './support/socket_network.ts'

/** Each look at the clock takes so long. */
const STEP_US = 100
/** Messages that are processed in a turn of 4 ms with this clock are fewer. */
const TURN = 4000 / STEP_US
const FLOOD = 20_000
/** When so many of them were processed, another peer sends a message. */
const SENT_AT = 1000
/** Nanoseconds since 1970; each ping has another time. */
const FIRST_TIME = 1_795_000_000_000_000_000n

describe('turns of peers', () => {
  let server: SocketNetwork
  const sockets: Socket[] = []

  before(async () => {
    server = await SocketNetwork.start({ listeners: [''], look_us: STEP_US })
  })

  after(async () => {
    for (const socket of sockets) socket.destroy()
    await server.network.stop()
  })

  async function open() {
    const known = new Set(server.connections)
    const socket = connect(server.port(), '127.0.0.1').resume()
    sockets.push(socket)
    const connection = await until('the connection', () =>
      server.connections.find((other) => !known.has(other)),
    )
    return { socket, connection: connection! }
  }

  const ping = (xmt: bigint) =>
    frame(encodeMessage({ kind: 'time', org: 0n, rec: 0n, xmt, dst: 0n }))

  /** Calls `work` for each message of a connection with the number of those before it. */
  function onMessage({ connection }: Awaited<ReturnType<typeof open>>, work: (n: number) => void) {
    const { times } = connection.peer
    const receive = times.receive.bind(times)
    let count = 0
    times.receive = (...given) => {
      work(count++)
      return receive(...given)
    }
  }

  it('a message waits for a few turns of a flood, not for all of it', async () => {
    const flooder = await open()
    const honest = await open()
    let processed = 0
    let waited: number | undefined
    onMessage(flooder, (n) => {
      processed = n + 1
      if (n === SENT_AT) honest.socket.write(ping(2n * FIRST_TIME))
    })
    onMessage(honest, () => (waited = processed - SENT_AT))
    const flood = Array.from({ length: FLOOD }, (_, i) => ping(FIRST_TIME + BigInt(i)))
    flooder.socket.write(Buffer.concat(flood))
    await until('the flood is over', () => processed === FLOOD && waited !== undefined)
    expect(waited).lessThan(10 * TURN)
    expect(flooder.connection.turns_ended).greaterThan(FLOOD / TURN - 1)
    expect(honest.connection.turns_ended).equal(0)
    const metric = networkMetrics(server.network).find(
      ({ name }) => name === 'pronghorn_p2p_turns_ended',
    )
    expect(metric!.samples.map(({ value }) => value)).deep.equal([
      flooder.connection.turns_ended,
      0,
    ])
  })
})
