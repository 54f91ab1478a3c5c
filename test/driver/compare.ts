/**
 * Compares two recordings of the driver, exchange by exchange. What names a moment, a block of a run
 * or a place in a program is left out.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** A line of a recording: an exchange, or the name of the phase that begins. */
export interface Line {
  phase?: string
  note?: string
  method?: string
  path: string
  body?: string | null
  status: number
  response: string
}

/** Exchanges by what names them in every run: phase, operation, note and request. */
export type Recording = Map<string, Line>

/** An exchange that was answered otherwise: the fields that differ, each with both values. */
export interface Difference {
  exchange: string
  fields: string[]
  /** One of the recordings has no such exchange. */
  missing: boolean
}

/** Fields whose values belong to a run. */
const OF_A_RUN = new Set(
  (
    'server_version server_version_string server_full_version_string elapsed block_time block_num ' +
    'producer_block_id head_block_id head_block_num head_block_time last_irreversible_block_num ' +
    'last_irreversible_block_id last_irreversible_block_time fork_db_head_block_num ' +
    'fork_db_head_block_id earliest_available_block_num global_sequence cpu_usage_us ' +
    'transaction_id trx_id id timestamp previous transaction_mroot action_mroot ' +
    'producer_signature ref_block_prefix ref_block_num expiration packed_trx signatures ' +
    'integrity_hash snapshot_name last_used last_update last_updated last_usage_update_time ' +
    'head_id head_number head_timestamp irreversible_id irreversible_number ' +
    'irreversible_timestamp block_id block_number block_timestamp file line_number method ' +
    'thread_name activation_block_num delay_until published created last_code_update ' +
    'virtual_block_cpu_limit virtual_block_net_limit chain_id voted_for_block_id ' +
    'voted_for_block_num voted_for_block_timestamp earliest_tracked_block_id ' +
    'earliest_tracked_block_number act_digest cpu_limit net_limit subjective_cpu_bill_limit ' +
    'billed_cpu_time_us stack'
  ).split(' '),
)

/** Heights above are the driver's own. */
const NO_HEIGHT = 100_000

export function readRecording(file: string | URL): Recording {
  const bytes = readFileSync(file)
  const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8')
  const lines = text.trim().split('\n')
  return recordingOf(lines.map((line) => JSON.parse(line) as Line))
}

/** The same of lines that were read already. */
export function recordingOf(lines: readonly Line[]): Recording {
  const recording: Recording = new Map()
  let phase = ''
  for (const line of lines) {
    if (line.phase !== undefined) phase = line.phase.replace(/\d+/g, 'N')
    else recording.set(nameOf(recording, phase, line), line)
  }
  return recording
}

function nameOf(recording: Recording, phase: string, { path, note = '', ...line }: Line): string {
  const body = line.body ?? ''
  const operation = path.replace(/^\/v1\//, '')
  const request = operation.includes('transaction') ? '' : withoutHeights(body)
  const what = note || (request.length > 300 ? '' : request)
  const name = `${phase}|${operation}|${what}`
  for (let i = 1; ; i++) if (!recording.has(`${name}#${i}`)) return `${name}#${i}`
}

const withoutHeights = (body: string): string =>
  body.replace(/("\w*block_num":)(\d+)/g, (all, field: string, height: string) =>
    Number(height) > 0 && Number(height) < NO_HEIGHT ? `${field}N` : all,
  )

/** Every exchange of which the answers differ, in the order of the reference's. */
export function compareRecordings(reference: Recording, ours: Recording): Difference[] {
  const differences: Difference[] = []
  for (const exchange of new Set([...reference.keys(), ...ours.keys()])) {
    const [theirs, our] = [reference.get(exchange), ours.get(exchange)]
    const fields: string[] = []
    if (theirs && our) collect(answerOf(theirs), answerOf(our), '', fields)
    const missing = !theirs || !our
    if (missing || fields.length > 0) differences.push({ exchange, fields, missing })
  }
  return differences
}

interface ErrorAnswer {
  code: number
  message: string
  error: { code: number; name: string; what: string; details?: { message: string }[] }
}

/** Of an error its first message alone; of everything else all but what belongs to the run. */
function answerOf({ status, response }: Line): unknown {
  let body: unknown
  try {
    body = JSON.parse(response)
  } catch {
    body = response
  }
  const failed = (body as ErrorAnswer | null)?.error
  if (failed === undefined || typeof failed !== 'object') return { status, body: masked(body, '') }
  const { code, message } = body as ErrorAnswer
  const first = (failed.details?.[0]?.message ?? '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, 'T')
    .replace(/[0-9a-f]{64}/g, 'H')
    .replace(/(head|block) \d+/g, '$1 N')
  const error = { code: failed.code, name: failed.name, what: failed.what, first }
  return { status, body: { code, message, error } }
}

function masked(value: unknown, field: string): unknown {
  if (OF_A_RUN.has(field)) return '*'
  const height = field === 'start_block_num' || field === 'end_block_num'
  if (height && (value as number) < NO_HEIGHT) return '*'
  if (Array.isArray(value)) {
    // The sequences of eosio count the onblock of every block.
    if (field === 'auth_sequence') return value.map((pair: unknown[]) => maskedSequence(pair))
    return value.map((item) => masked(item, ''))
  }
  if (typeof value !== 'object' || value === null) return value
  const system = (value as { receiver?: string }).receiver === 'eosio'
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      system && name === 'recv_sequence' ? '*' : masked(part, name),
    ]),
  )
}

const maskedSequence = ([account, sequence]: unknown[]): unknown[] =>
  account === 'eosio' ? [account, '*'] : [account, sequence]

function collect(a: unknown, b: unknown, path: string, fields: string[]): void {
  if (JSON.stringify(a) === JSON.stringify(b)) return
  if (!isObject(a) || !isObject(b)) {
    fields.push(`${path}: ${JSON.stringify(a)} is here ${JSON.stringify(b)}`)
    return
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    collect(a[key], b[key], path === '' ? key : `${path}.${key}`, fields)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
