/** What passed between two reference nodes, from the fixtures: ../shared/recordings/README.md. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { fromHex } from '../../src/engine/protocol/hex.ts'
import { recordedBlocks } from '../engine/protocol/recorded_blocks.ts'

/** A message of a recorded session, or an event of its connection. */
export interface RecordedLine {
  /** Milliseconds since the connection. */
  t: number
  connection: number
  from: 'dialer' | 'listener'
  bytes?: Uint8Array
  event?: string
}

/** A conversation of a program with a node that produces nothing. */
export interface Conversation {
  name: string
  /** What was sent is whole writes rather than messages. */
  raw: boolean
  sent: Uint8Array[]
  received: Uint8Array[]
  /** Milliseconds until the node closed the connection; null if it did not. */
  closed: number | null
}

/** The sessions between two nodes. */
export const SESSIONS = [
  'sync',
  'live',
  'rejoin',
  'another-chain',
  'itself',
  'twice-1',
  'twice-2',
] as const

/** Blocks of the recorded chain are stored as their number. */
type Stored = string | { block: number }

const SIGNED_BLOCK = '07'
let blocks: readonly Uint8Array[] | undefined

function messageOf(stored: Stored): Uint8Array {
  if (typeof stored === 'string') return fromHex(stored)
  blocks ??= recordedBlocks().blocks
  const block = blocks[stored.block - 1]!
  return Uint8Array.from([...fromHex(SIGNED_BLOCK), ...block])
}

function lines(name: string): unknown[] {
  const url = new URL(`../fixtures/recordings/p2p/${name}.jsonl.gz`, import.meta.url)
  const text = gunzipSync(readFileSync(url)).toString().trim()
  return text.split('\n').map((line) => JSON.parse(line) as unknown)
}

/** A recorded session. */
export function recordedSession(name: (typeof SESSIONS)[number]): RecordedLine[] {
  return lines(name).map((line) => {
    const { hex, ...rest } = line as RecordedLine & { hex?: Stored }
    return hex === undefined ? rest : { ...rest, bytes: messageOf(hex) }
  })
}

/** The conversations of a program with a node. */
export function recordedConversations(): Conversation[] {
  return lines('strangers').map((line) => {
    const { sent, received, ...rest } = line as Omit<Conversation, 'sent' | 'received'> & {
      sent: Stored[]
      received: Stored[]
    }
    return { ...rest, sent: sent.map(messageOf), received: received.map(messageOf) }
  })
}
