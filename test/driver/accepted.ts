/**
 * Where a run of the driver against this node may differ from the reference's recorded run. Everything
 * else is a fault.
 */
import type { Difference } from './compare.ts'

export interface Accepted {
  /** Phase, operation and note of the exchanges. */
  exchange: RegExp
  /** What may differ there: a field and, in part, both values. */
  field: RegExp
  reason: string
  /**
   * Two runs of the reference differ there too: keys, times and moments of a run are told in a place
   * that cannot be left out. Without it the difference is meant so, and must show.
   */
  of_a_run?: true
}

const ACTION = /^body\.processed\.action_traces\.0\.act\.(data\.program|hex_data): /
const READ_ONLY = 'Read-only transactions are executed on a node that produces.'
/** One refuses, the other answers. */
const REFUSED = /^(status|body(\.\w+)?): /

export const ACCEPTED: readonly Accepted[] = [
  {
    of_a_run: true,
    exchange: /^deferred\|chain\/send_transaction2\|send_deferred/,
    field: ACTION,
    reason: 'The program holds a transaction with its expiration.',
  },
  {
    of_a_run: true,
    exchange: /^deferred\|chain\/get_scheduled_transactions\|#2/,
    field: /^body\.(transactions\.0\.transaction|more): /,
    reason: 'Its bytes hold times; `more` is a transaction id.',
  },
  {
    of_a_run: true,
    exchange: /^savanna\|chain\/send_transaction2\|set_finalizers/,
    field: ACTION,
    reason: 'The BLS keys of the recorded run are not known.',
  },
  {
    of_a_run: true,
    exchange: /^savanna\|chain\/get_finalizer_info\|/,
    field: /\.public_key: "PUB_BLS_/,
    reason: 'The BLS keys of the recorded run are not known.',
  },
  {
    of_a_run: true,
    exchange: /^snapshot schedules\|producer\/get_snapshot_requests\|about \d+ blocks later/,
    field: /^body\.snapshot_requests(\.|: )/,
    reason: 'Whether a snapshot is pending, or a request over, is a question of the moment.',
  },
  {
    of_a_run: true,
    exchange: /^privileged\|chain\/send_transaction2\|(poor cannot pay net|ram limit)/,
    field: /^body\.processed\./,
    reason: 'New limits hold from the next block on, which may begin between two transactions.',
  },
  {
    of_a_run: true,
    exchange: /^producers\|chain\/get_producer_schedule\|\{\}#2/,
    field: /^body\.pending\.producers\.\d: \{.*\} is here undefined$/,
    reason: 'A schedule that is active is pending no more from the next block on.',
  },
  {
    of_a_run: true,
    exchange: /\|chain\/push_transactions\|/,
    field: /^body\.1\.processed\.error: /,
    reason: 'The text names files, lines and functions of the reference.',
  },
  {
    exchange: /\|chain\/push_transaction\|duplicate#/,
    field: REFUSED,
    reason: 'A duplicate is 409, as the table of errors says.',
  },
  {
    exchange: /\|chain\/send_read_only_transaction\|/,
    field: REFUSED,
    reason: READ_ONLY,
  },
  {
    exchange: /\|chain\/send_transaction2\|retry 2 blocks#/,
    field: /^body\.error\.\w+: /,
    reason: 'Retry is on by default; the transaction expires later than a retried one may.',
  },
  {
    exchange: /\|chain\/get_transaction_status\|/,
    field: /^body\.last_tracked_block_id: undefined /,
    reason: 'The specification has the field.',
  },
  {
    exchange: /\|chain\/get_producers\|without a system contract#/,
    field: /^body\.total_producer_vote_weight: "-nan" is here "0\.00000000000000000"/,
    reason: 'Nobody has voted.',
  },
  {
    exchange: /\|producer\/get_runtime_options\|/,
    field:
      /^body\.(produce_time_offset_us|last_block_time_offset_us|max_scheduled_transaction_time_per_block_ms|incoming_defer_ratio): undefined /,
    reason: 'Options that the specification has and the reference has lost.',
  },
  {
    exchange: /\|producer\/get_account_ram_corrections\|/,
    field: REFUSED,
    reason: 'Every field of the request may be left out.',
  },
  {
    exchange: /^pause at a height\|producer\/paused\|\{\}#2/,
    field: /^body: false is here true/,
    reason: 'A node that stands at a scheduled height says that it is paused.',
  },
  {
    exchange: /\|chain\/send_transaction2\|while paused at a height#/,
    field: REFUSED,
    reason: 'A transaction that cannot be tried is refused at once; the reference does not answer.',
  },
  {
    exchange: /\|chain\/send_transaction2\|speculative while paused#/,
    field: /\.(recv_sequence|auth_sequence\.0\.1): \d+ is here \d+$/,
    reason: 'The transaction that was refused at the height was executed in the reference, later.',
  },
  {
    exchange: /\|producer\/pause_at_block\|\{"block_num":0\}/,
    field: REFUSED,
    reason: 'Height 0 clears the scheduled pause.',
  },
]

/** What nobody accepts, as lines; and what is accepted for good but was not seen. */
export function judge(
  differences: readonly Difference[],
  accepted: readonly Accepted[] = ACCEPTED,
): { faults: string[]; unseen: Accepted[] } {
  const faults: string[] = []
  const seen = new Set<Accepted>()
  for (const { exchange, fields, missing } of differences) {
    if (missing) faults.push(`${exchange} is in one of the recordings alone`)
    for (const field of fields) {
      const by = accepted.find((a) => a.exchange.test(exchange) && a.field.test(field))
      if (by) seen.add(by)
      else faults.push(`${exchange}\n    ${field}`)
    }
  }
  return { faults, unseen: accepted.filter((entry) => !entry.of_a_run && !seen.has(entry)) }
}
