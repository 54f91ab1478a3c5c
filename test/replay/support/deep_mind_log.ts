import { blockId } from '../../../src/engine/crypto/digests.ts'
import { unpackSignedBlock } from '../../../src/engine/protocol/block.ts'
import { genesisFromJson } from '../../../src/engine/protocol/genesis.ts'
import type { GenesisState } from '../../../src/engine/protocol/genesis.ts'
import { fromHex, toHex } from '../../../src/engine/protocol/hex.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'

/** A row as the log has it. */
export type LoggedRow = Record<string, unknown>

/** What rows are after a block, by the events up to it. */
export interface LoggedBlock {
  id: string
  packed: Uint8Array
  /** By account. */
  usage: Record<string, LoggedRow>
  state: LoggedRow
  /** By `account@permission`. */
  permissions: Record<string, LoggedRow>
}

export interface DeepMindLog {
  genesis: GenesisState
  blocks: LoggedBlock[]
}

class Events {
  readonly usage: Record<string, LoggedRow> = {}
  readonly permissions: Record<string, LoggedRow> = {}
  state: LoggedRow = {}

  see(words: string[]): void {
    const [, kind, ...rest] = words
    if (kind === 'RAM_OP') this.ram(rest)
    else if (kind === 'RLIMIT_OP') this.limits(rest)
    else if (kind === 'PERM_OP') this.permission(rest)
  }

  /** The last words are the payer, the usage after the event, and the difference. */
  private ram(words: string[]): void {
    const [payer, usage] = words.slice(-3)
    this.usage[payer!]!['ram_usage'] = Number(usage)
  }

  private limits([object, , ...json]: string[]): void {
    if (object !== 'ACCOUNT_USAGE' && object !== 'STATE') return
    const row = JSON.parse(json.join(' ')) as LoggedRow
    if (object === 'STATE') this.state = row
    else this.usage[row['owner'] as string] = row
  }

  private permission([operation, , , ...json]: string[]): void {
    const value = JSON.parse(json.join(' ')) as LoggedRow | { new: LoggedRow }
    const row = operation === 'UPD' ? (value as { new: LoggedRow }).new : (value as LoggedRow)
    if (row['owner'] === 'eosio.prods') return
    const key = `${String(row['owner'])}@${String(row['name'])}`
    if (operation === 'REM') delete this.permissions[key]
    else this.permissions[key] = row
  }
}

/** Reads the log of the reference's own test; blocks begin with number 2. */
export function readDeepMindLog(text: string): DeepMindLog {
  const events = new Events()
  const blocks: LoggedBlock[] = []
  for (const line of text.trim().split('\n')) {
    const words = line.split(' ')
    const [, kind, first, , , packed] = words
    if (kind === 'ACCEPTED_BLOCK') blocks.push(logged(events, blockWithin(fromHex(words[3]!))))
    else if (kind === 'ACCEPTED_BLOCK_V2') {
      const block = logged(events, fromHex(packed!))
      if (block.id !== first) throw new Error(`block ${first} is ${block.id}`)
      blocks.push(block)
    } else events.see(words)
  }
  const { last_updated, auth } = blocks[0]!.permissions['eosio@owner'] as {
    last_updated: string
    auth: { keys: { key: string }[] }
  }
  const initial_key = auth.keys[0]!.key
  return { genesis: genesisFromJson({ initial_timestamp: last_updated, initial_key }), blocks }
}

function logged({ usage, state, permissions }: Events, packed: Uint8Array): LoggedBlock {
  const id = toHex(blockId(unpackSignedBlock(new Reader(packed))))
  return { id, packed, ...structuredClone({ usage, state, permissions }) }
}

/**
 * Before Savanna the log has packed block states. A block is among the last of its fields: a flag and
 * the root of Savanna's action tree follow, if there is one. Where it begins is tried.
 */
function blockWithin(state: Uint8Array): Uint8Array {
  const end = state.length - (state.at(-33) === 1 ? 34 : 2)
  for (let start = 4; start < end; start++) {
    const r = new Reader(state, start, end)
    try {
      unpackSignedBlock(r)
      if (r.remaining() === 0) return state.subarray(start, end)
    } catch {
      // Not here.
    }
  }
  throw new Error('no block within the block state')
}
