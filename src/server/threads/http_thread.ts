/**
 * An HTTP thread: accepts connections beside the chain's thread, answers plain reads of the state by itself, sends
 * other plain requests to the chain's thread, and gives it every connection with a request that is not plain.
 *
 * It uses the listening sockets of the chain's thread, and must never close them: a closed descriptor may be used
 * again by any part of the process. So this thread does not end before the process does.
 */
import { createServer, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { Route } from '../../../generated/routes.ts'
import { BACKLOG } from '../../engine/listening.ts'
import {
  BrokenLockError,
  ClosedStateError,
  StateReader,
  UnreadableLogError,
  type StateAccess,
  type StateRead,
} from '../../engine/reading.ts'
import { AnswerCache } from '../answer_cache.ts'
import { DirectConnections } from '../direct_connections.ts'
import { DirectReads } from '../direct_reads.ts'
import { Failures } from '../failures.ts'
import { HttpMetrics } from '../metrics.ts'
import { readBody } from '../read_body.ts'
import { InFlight } from '../request_guard.ts'
import { SOCKET_OPTIONS } from '../socket_options.ts'
import type { FromThread, HttpThreadData, ThreadListener, ToThread } from './messages.ts'
import { ForwardedRequests, ThreadSubmissions } from './forwarded_requests.ts'
import { Rest } from './rest.ts'
import { OpenCount, SharedCounts } from './shared_counts.ts'
import { ThreadConnections } from './thread_connections.ts'
import { Tunnels } from './tunnels.ts'

/** Milliseconds between the times at which the thread takes the changes that were sent to it. */
const CATCH_UP_MS = 1000
/** Milliseconds between two turns of the event loop of a thread that rests and still has connections. */
const RESTING_TURN_MS = 5
/** After so many of these turns without a request, the thread waits for one as usual, which takes less. */
const MAX_IDLE_TURNS = 200

const data = workerData as HttpThreadData
const { options, reads } = data
let reader = new StateReader(data.access)
const load = new InFlight(data.load)
const cache = new AnswerCache(() => reader.version)
const counts = new SharedCounts(data.counts)
const failures = new Failures(options, {
  metrics: new HttpMetrics(),
  log: (level, message) => tell({ kind: 'log', level, message }),
})
const operations = {
  answer(route: Route, body: unknown, method: string): unknown {
    const checked = readBody(route, body, method)
    return reader.read((answer) => answer(route.operationId as StateRead, checked))
  },
}
const deps = {
  load,
  cache,
  metrics: counts,
  operations,
  failureOf: failures.of,
  only: reads as ReadonlySet<string>,
  onAnswer: () => rest.endsWithRequest(),
  isElsewhere,
}

// Changes must not pile up for a thread without requests.
setInterval(catchUp, CATCH_UP_MS).unref()
let is_broken = false
const rest = new Rest(data.rest)
let takes_rest = false
let idle_turns = 0

const requests = new ForwardedRequests((requests) => tell({ kind: 'forward', requests }))
let listening = 0
const served = data.listeners.map(serve)
const tunnels = new Tunnels(tell, (socket, is_busy) => {
  rest.endsWithRequest()
  for (const connections of served) connections.setBusy(socket, is_busy)
})
parentPort!.on('message', receive)

// A fault must not end this thread, which would close the listening sockets.
process.on('uncaughtException', (error) => {
  tell({ kind: 'log', level: 'error', message: error.stack ?? String(error) })
})

function serve({ fd, open, categories, hosts }: ThreadListener, at: number): ThreadConnections {
  const connections = new ThreadConnections(options.max_connections, new OpenCount(open), rest)
  const direct = new DirectConnections(
    options,
    connections,
    new DirectReads(options, deps, categories),
    hosts,
    (socket: Socket) => tunnels.open(socket, at),
    new ThreadSubmissions(
      options,
      { ...deps, reader: () => reader, requests, onRequest },
      categories,
      at,
    ),
  )
  const server = createServer({ ...SOCKET_OPTIONS, allowHalfOpen: true, noDelay: true })
  server.on('connection', (socket: Socket) => {
    if (connections.add(socket)) direct.serve(socket)
  })
  server.on('error', (error) => tell({ kind: 'log', level: 'error', message: error.message }))
  server.listen({ fd, backlog: BACKLOG }, () => {
    if (++listening === data.listeners.length) setImmediate(() => setImmediate(tellStarted))
  })
  return connections
}

function receive(message: ToThread): void {
  if (message.kind === 'state') readFrom(message.access)
  else if (message.kind === 'stop') {
    void Promise.all(served.map((connections) => connections.close())).then(() =>
      tell({ kind: 'stopped' }),
    )
  } else if (message.kind === 'destroy') {
    for (const connections of served) connections.destroy()
  } else if (message.kind === 'answers') requests.receive(message.answers)
  else tunnels.receive(message)
}

/** The chain was replaced by another one. */
function readFrom(access: StateAccess): void {
  reader.close()
  reader = new StateReader(access)
  is_broken = false
  cache.clear()
}

function onRequest(is_submission: boolean): void {
  idle_turns = 0
  if (!is_submission) return rest.endsWithRequest()
  if (options.spare_processors || !rest.beginsWithSubmission()) return
  if (!takes_rest) setImmediate(takeRest)
  takes_rest = true
}

/** Takes the turns of the event loop apart, so that the chain's thread is the first to accept connections. */
function takeRest(): void {
  const has_connections = served.some(({ size }) => size > 0)
  if (has_connections && ++idle_turns > MAX_IDLE_TURNS) rest.end()
  takes_rest = rest.isActive
  if (!takes_rest) return
  rest.wait(has_connections ? RESTING_TURN_MS : CATCH_UP_MS)
  setImmediate(takeRest)
}

function catchUp(): void {
  try {
    reader.catchUp()
  } catch (error) {
    if (!isElsewhere(error)) throw error
  }
}

/** Whether the chain's thread must answer, and this one cannot. */
function isElsewhere(error: unknown): boolean {
  if (error instanceof BrokenLockError && !is_broken) {
    is_broken = true
    tell({ kind: 'log', level: 'error', message: `${error.message}; restart the node` })
  }
  return [BrokenLockError, ClosedStateError, UnreadableLogError].some(
    (kind) => error instanceof kind,
  )
}

/**
 * Comes after a turn of the event loop that has begun to wait for connections. Before that, the chain's thread must
 * not close the listening sockets: libuv ends the process if it cannot wait for one.
 */
function tellStarted(): void {
  tell({ kind: 'started' })
}

function tell(message: FromThread): void {
  parentPort!.postMessage(message)
}
