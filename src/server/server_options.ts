import { API_CATEGORIES, type Address } from '../engine/index.ts'

/** The name of a category of operations. */
export type Category = string

/** The categories of the API, in the order in which they are listed to users. */
export const CATEGORIES: readonly Category[] = API_CATEGORIES.map(({ name }) => name)
/** Served on each address, so they have none of their own. */
export const EVERYWHERE: readonly Category[] = API_CATEGORIES.filter(
  ({ everywhere }) => everywhere,
).map(({ name }) => name)
/** Categories that change the node or its disk. */
export const CONTROL: readonly Category[] = API_CATEGORIES.filter(({ control }) => control).map(
  ({ name }) => name,
)

/** Categories that are served only on loopback addresses. */
export const LOCAL: readonly Category[] = API_CATEGORIES.filter(({ local }) => local).map(
  ({ name }) => name,
)

/** An address with the categories that it serves. */
export interface ListenerOptions {
  address: Address
  /** The option that asks for it and its value, for messages. */
  option: string
  /** Operations of other categories are unknown there. */
  categories: ReadonlySet<Category>
}

/** The options of the server. */
export interface ServerOptions {
  listeners: readonly ListenerOptions[]
  /** Headers of every answer, lower-case names. */
  cors: Readonly<Record<string, string>>
  /** Origins of pages that may use unsigned operations that write; `*` is every one. */
  control_origins: ReadonlySet<string>
  validate_host: boolean
  /** Further right names in the Host header, with or without a port. */
  host_aliases: readonly string[]
  /** Bytes; a larger body is answered with 413. */
  max_body_size: number
  /** Bytes of bodies under way; Infinity for no limit. */
  max_bytes_in_flight: number
  /** Requests under way; Infinity for no limit. */
  max_requests_in_flight: number
  max_connections: number
  /** Milliseconds for a client to send one request. */
  request_timeout_ms: number
  keep_alive: boolean
  verbose_errors: boolean
  /** Threads that answer reads of the state; 0: the chain's thread answers all. */
  http_threads: number
  /** Whether the machine has more processors than a load of submissions uses without these threads. */
  spare_processors: boolean
  /** Check every answer against the contract. */
  validate_responses: boolean
}
