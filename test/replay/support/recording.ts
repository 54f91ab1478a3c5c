import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { WhitelistBlacklist } from '../../../src/engine/services/production/lists.ts'

/** A packed transaction in the JSON form of requests. */
export interface Submission {
  signatures: string[]
  compression: string
  packed_context_free_data: string
  packed_trx: string
}

/** What the reference answered of a transaction's run, as far as it is looked into here. */
export interface RecordedTrace {
  id: string
  block_num: number
  receipt: { cpu_usage_us: number } | null
  except: unknown
}

/** A transaction that was submitted while the chain was recorded, and its trace. */
export interface RecordedRun {
  note: string
  kind: 'input' | 'dry_run'
  submission: Submission
  trace: RecordedTrace
  /** The operator's lists, as they were set then. */
  lists: WhitelistBlacklist
}

interface Line {
  phase?: string
  note?: string
  path?: string
  body?: string
  response?: string
}

const LIVE = new URL('../../fixtures/recordings/one/live.jsonl.gz', import.meta.url)

/** Every line of the recording that was made while the chain was: exchanges and phases. */
export function recordedLines(): Line[] {
  const text = gunzipSync(readFileSync(LIVE)).toString('utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

/**
 * Submissions whose answers have a trace, in order. Left out are those of push_transaction, whose
 * traces are trees, and bodies that were too long to be recorded.
 */
export function recordedRuns(): RecordedRun[] {
  const runs: RecordedRun[] = []
  let lists: WhitelistBlacklist = {}
  for (const { note = '', path = '', body, response } of recordedLines()) {
    if (path === '/v1/producer/set_whitelist_blacklist') {
      lists = JSON.parse(body!) as WhitelistBlacklist
    }
    const operation = /^\/v1\/chain\/(send_transaction2?|compute_transaction)$/.exec(path)?.[1]
    if (!operation || !response?.includes('"processed"') || body!.includes('… ')) continue
    const request = JSON.parse(body!) as Submission & { transaction?: Submission }
    const submission = request.transaction ?? request
    if (typeof submission.packed_trx !== 'string') continue
    const { processed } = JSON.parse(response) as { processed: RecordedTrace }
    const kind = operation === 'compute_transaction' ? 'dry_run' : 'input'
    runs.push({ note, kind, submission, trace: processed, lists })
  }
  return runs
}
