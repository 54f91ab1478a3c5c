/** Clients that are slow, half there, or too many. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { many, type Attack, type Tally, type Target } from '../attack.ts'

const AT_ONCE = 20
/** Longer than a node that is started with a short request timeout lets a client dawdle. */
const PATIENCE_MS = 4000
const PAUSE_MS = 100
export const TOO_MANY = 'too many connections'
/** More connections than the node is told to take. */
export const TOO_MANY_CONNECTIONS = 400

const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${length}\r\n\r\n`

/** Opens a connection; what becomes of it is counted when it ends. */
function open(target: Target, tally: Tally): Socket {
  const socket = connect(target.port, target.host)
  let answer = ''
  socket.on('data', (chunk: Buffer) => {
    if (answer.length < 100) answer += chunk.toString('latin1')
  })
  socket.on('error', (error: NodeJS.ErrnoException) => tally.count(error.code ?? error.message))
  socket.on('close', () => tally.count(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'closed'))
  return socket
}

/** Sends a text in small pieces until it is sent, the other side is tired of it, or time is up. */
async function dribble(target: Target, tally: Tally, text: string): Promise<void> {
  const socket = open(target, tally)
  const end = Date.now() + PATIENCE_MS
  for (let at = 0; at < text.length && !socket.destroyed && Date.now() < end; at += 4) {
    socket.write(text.slice(at, at + 4))
    await sleep(PAUSE_MS)
  }
  socket.destroy()
}

const slowHeads: Attack = {
  name: 'slow heads',
  round: many(AT_ONCE, (target, tally) =>
    dribble(
      target,
      tally,
      `${head('/v1/chain/get_info', 2).trimEnd()}\r\nX-Slow: ${'x'.repeat(4000)}`,
    ),
  ),
}

const slowBodies: Attack = {
  name: 'slow bodies',
  round: many(AT_ONCE, (target, tally) =>
    dribble(target, tally, head('/v1/chain/get_account', 5000) + ' '.repeat(5000)),
  ),
}

/** Asks for large answers one after the other, and never reads them. */
const deafReaders: Attack = {
  name: 'readers that do not read',
  round: many(AT_ONCE, async (target, tally) => {
    const socket = open(target, tally)
    socket.pause()
    const body = '{"account_name":"probe"}'
    const request = head('/v1/chain/get_raw_code_and_abi', body.length) + body
    for (let i = 0; i < 100 && !socket.destroyed; i++) socket.write(request)
    await sleep(PATIENCE_MS)
    socket.destroy()
  }),
}

/** Connections that say nothing, or go away in the middle of a request. */
const halfOpen: Attack = {
  name: 'half-open connections',
  round: many(AT_ONCE, async (target, tally) => {
    const silent = open(target, tally)
    for (let i = 0; i < 10; i++) {
      const socket = open(target, tally)
      socket.write(head('/v1/chain/get_account', 1000) + '{"account_name":')
      await sleep(PAUSE_MS / 2)
      socket.resetAndDestroy()
    }
    silent.destroy()
  }),
}

const tooMany: Attack = {
  name: TOO_MANY,
  round: async (target, tally) => {
    const sockets = Array.from({ length: TOO_MANY_CONNECTIONS }, () => open(target, tally))
    await sleep(PAUSE_MS * 5)
    for (const socket of sockets) socket.destroy()
    await sleep(PAUSE_MS * 5)
  },
}

export const SOCKET_ATTACKS: readonly Attack[] = [
  slowHeads,
  slowBodies,
  deafReaders,
  halfOpen,
  tooMany,
]
