import { UINT64_MAX } from '../../protocol/integer.ts'
import { integerToJson } from '../../abi/number_text.ts'
import type { IntegerJson } from '../../abi/number_text.ts'
/**
 * Operations of the producer group over the parts that do them: plain data in, plain data out.
 * spring: plugins/producer_plugin/producer_plugin.cpp
 */
import { toHex } from '../../protocol/hex.ts'
import { nameToString } from '../../protocol/name.ts'
import { slotToUs, timePointSecToString } from '../../protocol/time.ts'
import type { Chain } from '../../chain/chain.ts'
import {
  supportedFeatureJson,
  supportedFeatures,
  type SupportedFeatureJson,
} from '../../json/feature.ts'
import type { Clock } from '../../clock.ts'
import type { Producer } from './producer.ts'
import type { QueuedTransaction } from './transaction_queue.ts'

/** Most transactions of one answer. spring: get_unapplied_transactions */
const MAX_UNAPPLIED = 1000
const DEFAULT_UNAPPLIED = 100

/** The parameters of get_unapplied_transactions. */
export interface UnappliedQuery {
  limit?: number
  /** Id of the first transaction of the answer, hex. */
  lower_bound?: string
  /** Milliseconds after which the answer ends early. */
  time_limit_ms?: number
}

/** A page of the transactions that wait for a block, as get_unapplied_transactions answers it. */
export function getUnappliedTransactions(producer: Producer, clock: Clock, query: UnappliedQuery) {
  const { queue } = producer.processor
  const deadline_us = clock.now() + (query.time_limit_ms ?? Infinity) * 1000
  const limit = Math.min(query.limit ?? DEFAULT_UNAPPLIED, MAX_UNAPPLIED)
  const wanted = query.lower_bound
  const trxs: ReturnType<typeof describe>[] = []
  const answer = { size: queue.size, incoming_size: queue.incoming_size, trxs, more: '' }
  let started = !wanted
  for (const entry of queue.entries()) {
    started ||= toHex(entry.meta.id) === wanted?.toLowerCase()
    if (!started) continue
    // The answer always has at least one, so that a client advances even with a very short time
    // limit.
    if (trxs.length >= limit || (trxs.length > 0 && clock.now() >= deadline_us)) {
      return { ...answer, more: toHex(entry.meta.id) }
    }
    trxs.push(describe(entry))
  }
  return answer
}

/** The cost of a decoded transaction in addition to its bytes. */
const ENTRY_BYTES = 200

function describe({ meta, kind }: QueuedTransaction) {
  const { trx } = meta
  const first = trx.actions[0]
  const signer = [...trx.context_free_actions, ...trx.actions].flatMap((a) => a.authorization)[0]
  return {
    trx_id: toHex(meta.id),
    expiration: timePointSecToString(trx.expiration),
    trx_type: kind,
    first_auth: nameToString(signer?.actor ?? 0n),
    first_receiver: nameToString(first?.account ?? 0n),
    first_action: nameToString(first?.name ?? 0n),
    total_actions: trx.context_free_actions.length + trx.actions.length,
    billed_cpu_time_us: meta.billed_cpu_time_us,
    size: meta.unprunable_size + meta.prunable_size + ENTRY_BYTES,
  }
}

/** The protocol features that this node supports, as JSON. */
export function getSupportedProtocolFeatures(
  chain: Chain,
  filter: { exclude_disabled: boolean; exclude_unactivatable: boolean },
): SupportedFeatureJson[] {
  const next_block_time_us = slotToUs(chain.head.timestamp + 1)
  const features = supportedFeatures(chain.features, { ...filter, next_block_time_us })
  return features.map(supportedFeatureJson)
}

/** The parameters of get_account_ram_corrections; bounds are names. */
export interface RamCorrectionsQuery {
  lower_bound?: bigint
  upper_bound?: bigint
  limit?: number
  reverse?: boolean
}

const DEFAULT_CORRECTIONS = 10
const MAX_CORRECTIONS = 1000

/** A page of the recorded RAM corrections of accounts, as JSON. */
export function getAccountRamCorrections(chain: Chain, query: RamCorrectionsQuery) {
  const lower = query.lower_bound ?? 0n
  const upper = query.upper_bound ?? UINT64_MAX
  const rows: { name: string; ram_correction: IntegerJson }[] = []
  if (upper < lower) return { rows }
  const limit = Math.min(query.limit ?? DEFAULT_CORRECTIONS, MAX_CORRECTIONS)
  const table = chain.db.account_ram_correction
  for (const row of table.range('by_name', [lower], [upper], query.reverse ?? false)) {
    if (rows.length >= limit) return { rows, more: nameToString(row.name) }
    rows.push({ name: nameToString(row.name), ram_correction: integerToJson(row.ram_correction) })
  }
  return { rows }
}
