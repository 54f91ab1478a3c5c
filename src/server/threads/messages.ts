/** What the chain's thread and an HTTP thread send each other. */
import type { LogLevel } from '../../engine/index.ts'
import type { StateAccess, StateRead } from '../../engine/reading.ts'
import type { DirectAnswer } from '../direct_reads.ts'
import type { ServerOptions } from '../server_options.ts'

/** An address as an HTTP thread serves it. */
export interface ThreadListener {
  /** The listening socket, which belongs to the chain's thread. An HTTP thread never closes it. */
  fd: number
  /** Number of its open connections on all threads. */
  open: SharedArrayBuffer
  categories: ReadonlySet<string>
  /** Right values of the Host header; undefined: all are. */
  hosts: ReadonlySet<string> | undefined
}

/** Passed to an HTTP thread at its start. */
export interface HttpThreadData {
  access: StateAccess
  /** The operations that it answers. */
  reads: ReadonlySet<StateRead>
  options: ServerOptions
  listeners: readonly ThreadListener[]
  /** Requests in progress on the chain's thread; see InFlight. */
  load: SharedArrayBuffer
  /** Requests that it answered; see SharedCounts. */
  counts: SharedArrayBuffer
  /** See Rest. */
  rest: SharedArrayBuffer
}

/** Addresses of a connection. */
export interface ConnectionAddresses {
  localAddress: string | undefined
  localPort: number | undefined
  remoteAddress: string | undefined
  remotePort: number | undefined
  remoteFamily: string | undefined
}

/**
 * A message about a connection that an HTTP thread gave to the chain's thread; connections have numbers.
 * `data` has bytes, or text that is Latin-1 or UTF-8; `taken` says how many bytes of data the receiver has taken;
 * `close` comes after all data, `abort` at any time.
 */
export type TunnelMessage =
  | { kind: 'open'; id: number; listener: number; addresses: ConnectionAddresses }
  | { kind: 'data'; id: number; data: Uint8Array | string; encoding?: 'latin1' | 'utf8' }
  | { kind: 'taken'; id: number; bytes: number }
  | { kind: 'end' | 'close' | 'abort'; id: number }

/** A plain request that the chain's thread answers, while its connection stays with the HTTP thread. */
export interface ForwardedRequest {
  id: number
  listener: number
  path: string
  method: string
  /** Bytes of the body. */
  bytes: number
  /** The body, or what the HTTP thread has made of it: see `ReadAccess.submit`. */
  body: string | Uint8Array
}

/** Its answer; one without is to be given to the chain's thread with its connection. */
export interface ForwardedAnswer {
  id: number
  answer: DirectAnswer | undefined
}

/** A message of an HTTP thread. Requests are in the order in which they came. */
export type FromThread =
  | TunnelMessage
  | { kind: 'forward'; requests: ForwardedRequest[] }
  | { kind: 'log'; level: LogLevel; message: string }
  | { kind: 'started' }
  | { kind: 'stopped' }

/**
 * A message to an HTTP thread. `state`: another chain is read from now on, whose port must be transferred; `stop`: no
 * new connections; `destroy`: no connections at all.
 */
export type ToThread =
  | TunnelMessage
  | { kind: 'state'; access: StateAccess }
  | { kind: 'answers'; answers: ForwardedAnswer[] }
  | { kind: 'stop' }
  | { kind: 'destroy' }

/** Bytes that one side sends before the other has taken any. */
export const WINDOW = 256 * 1024
/** Bytes after which `taken` is sent. */
export const TAKEN_STEP = WINDOW / 4
