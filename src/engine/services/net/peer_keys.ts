/**
 * The keys that producers registered for peers, as the system contract returns them.
 * spring: libraries/chain/peer_keys_db.cpp, controller.cpp (get_top_producer_keys, update_peer_keys)
 */
import type { Chain } from '../../chain/chain.ts'
import type { Clock } from '../../clock.ts'
import { ChainError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { SYSTEM_ACCOUNT } from '../../protocol/constants.ts'
import { toHex } from '../../protocol/hex.ts'
import { readPublicKey } from '../../protocol/key.ts'
import { N } from '../../protocol/name.ts'
import { makePackedTransaction } from '../../protocol/packed_transaction.ts'
import { Reader } from '../../protocol/reader.ts'
import { slotToUs } from '../../protocol/time.ts'
import { refBlockOf } from '../../protocol/transaction.ts'
import type { Producer } from '../production/producer.ts'

const ACTION = N('getpeerkeys')
/** Keys are read again after so many blocks. */
const INTERVAL_BLOCKS = 120
/** Older blocks are caught up with. */
const MAX_AGE_US = 5 * 60 * 1_000_000
/** The time that the action may take. */
const LIMIT_MS = 20
const EXPIRATION_S = 60

/** Knows the keys of the top producers. */
export class PeerKeys {
  private readonly deps: { chain: Chain; producer: Producer; clock: Clock; log: Log }
  private readonly own: ReadonlySet<bigint>
  /** Rank and key by producer; undefined for one without a key. */
  private known = new Map<bigint, { rank: number; key: Uint8Array | undefined }>()
  private is_reading = false
  private reason: string | undefined

  /** @param own the producers of this node */
  constructor(
    deps: { chain: Chain; producer: Producer; clock: Clock; log: Log },
    own: ReadonlySet<bigint>,
  ) {
    this.deps = deps
    this.own = own
  }

  /** The key of a producer, packed. */
  get(producer: bigint): Uint8Array | undefined {
    return this.known.get(producer)?.key
  }

  /** Follows the chain. @param onChanged called when something about this node's producers changed */
  follow(onChanged: () => void): void {
    const { chain, clock } = this.deps
    chain.events.on('blockAccepted', ({ block_num, timestamp }) => {
      const is_due = this.known.size === 0 || (block_num + 1) % INTERVAL_BLOCKS === 0
      if (!is_due || this.is_reading || clock.now() - slotToUs(timestamp) > MAX_AGE_US) return
      // The next block must have begun.
      clock.wakeAt(clock.now(), () => void this.read(onChanged))
    })
  }

  private async read(onChanged: () => void): Promise<void> {
    if (this.is_reading) return
    this.is_reading = true
    try {
      if (this.replace(await this.ask())) onChanged()
      this.reason = undefined
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      // Once, not in each block.
      if (error.message === this.reason) return
      this.reason = error.message
      this.deps.log('warn', `the keys of producers for peers cannot be read: ${error.message}`)
    } finally {
      this.is_reading = false
    }
  }

  /** The result of the action; empty if there is no system contract. */
  private async ask(): Promise<Uint8Array> {
    const { head } = this.deps.chain
    const trace = await this.deps.producer.readOnly(
      makePackedTransaction(
        {
          expiration: Math.floor(slotToUs(head.timestamp) / 1_000_000) + EXPIRATION_S,
          ...refBlockOf(head.id),
          max_net_usage_words: 0,
          max_cpu_usage_ms: LIMIT_MS,
          delay_sec: 0,
          context_free_actions: [],
          actions: [
            { account: SYSTEM_ACCOUNT, name: ACTION, authorization: [], data: new Uint8Array(0) },
          ],
          transaction_extensions: [],
        },
        [],
      ),
    )
    if (trace.except) throw trace.except
    return trace.action_traces[0]?.return_value ?? new Uint8Array(0)
  }

  /** Returns whether something about this node's producers changed. */
  private replace(result: Uint8Array): boolean {
    if (result.length === 0) return false
    const reader = new Reader(result)
    const keys = reader.array((r) => ({ name: r.name(), key: r.optional(readPublicKey) }))
    if (keys.length === 0) return false
    const before = this.known
    this.known = new Map(
      keys.map(({ name, key }, rank) => [name, { rank, key: key && Uint8Array.from(key) }]),
    )
    const text = (known: typeof before, name: bigint): string => {
      const entry = known.get(name)
      return entry === undefined ? '' : `${entry.rank} ${entry.key ? toHex(entry.key) : ''}`
    }
    return [...this.own].some((name) => text(before, name) !== text(this.known, name))
  }
}
