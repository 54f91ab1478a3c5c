/**
 * The schedule of snapshots: the requests of operators, stored in a file beside the snapshots.
 * spring: libraries/chain/snapshot_scheduler.cpp
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { check } from '../../errors.ts'
import { failAs, makeFolder, replaceFile } from '../../store/file.ts'

const NO_END = 0xffffffff

/** A request as clients send it. */
export interface SnapshotRequestParams {
  block_spacing?: number
  start_block_num?: number
  end_block_num?: number
  snapshot_description?: string
}

/** A snapshot at `start_block_num`, or one every `block_spacing` blocks from there on. */
export interface SnapshotRequest {
  snapshot_request_id: number
  block_spacing: number
  start_block_num: number
  end_block_num: number
  snapshot_description: string
}

/**
 * The requests of operators for snapshots. Each change is written to the file of the schedule
 * before it takes effect, so requests persist over restarts.
 */
export class SnapshotSchedule {
  private readonly path: string | undefined
  /** File names of what requests that repeat have made, the oldest first, by their ids. */
  private readonly files: Map<number, string[]>
  private requests: SnapshotRequest[]
  private next_id: number

  /**
   * @param path the file of the schedule; if absent, it is not stored
   * @throws snapshot_exception when the file is not a schedule
   */
  constructor(path?: string) {
    this.path = path
    const kept = path !== undefined && existsSync(path) ? readSchedule(path) : []
    this.requests = kept.map(({ request }) => request)
    this.files = new Map(kept.map(({ request, files }) => [request.snapshot_request_id, files]))
    this.next_id = 1 + Math.max(-1, ...this.requests.map((r) => r.snapshot_request_id))
  }

  /** In the order in which they were made. */
  get all(): readonly SnapshotRequest[] {
    return this.requests
  }

  /**
   * @throws duplicate_snapshot_request, invalid_snapshot_request, snapshot_exception if it cannot
   *   be stored; then the request does not exist
   */
  add(params: SnapshotRequestParams, head_block_num: number): SnapshotRequest {
    const request = {
      snapshot_request_id: this.next_id,
      block_spacing: params.block_spacing ?? 0,
      start_block_num: params.start_block_num ?? head_block_num + 1,
      // Older releases used 0 for this.
      end_block_num: params.end_block_num || NO_END,
      snapshot_description: params.snapshot_description ?? '',
    }
    const { block_spacing, start_block_num, end_block_num } = request
    const same = this.requests.some(
      (other) =>
        other.block_spacing === block_spacing &&
        other.start_block_num === start_block_num &&
        other.end_block_num === end_block_num,
    )
    check(!same, 'duplicate_snapshot_request', 'Duplicate snapshot request')
    check(
      start_block_num <= end_block_num,
      'invalid_snapshot_request',
      'End block number should be greater or equal to start block number',
    )
    check(
      start_block_num + block_spacing <= end_block_num,
      'invalid_snapshot_request',
      'Block spacing exceeds defined by start and end range',
    )
    this.save([...this.requests, request])
    this.next_id++
    return request
  }

  /** @throws snapshot_request_not_found, snapshot_exception as {@link add} */
  remove(snapshot_request_id: number): SnapshotRequest {
    const request = this.requests.find((r) => r.snapshot_request_id === snapshot_request_id)
    check(request, 'snapshot_request_not_found', 'Snapshot request not found')
    this.save(this.requests.filter((r) => r !== request))
    return request
  }

  /** The requests for a snapshot of the state after this block. */
  due(block_num: number): SnapshotRequest[] {
    return this.requests.filter(({ block_spacing, start_block_num, end_block_num }) => {
      if (block_spacing === 0) return block_num === start_block_num
      const in_range = block_num >= start_block_num && block_num <= end_block_num
      return in_range && (block_num - start_block_num) % block_spacing === 0
    })
  }

  /**
   * Records a snapshot that a request has made. If the request repeats and has made more than
   * `max_retained` (0: no limit), returns the names of the oldest ones, which are to be removed.
   * Snapshots of removed requests are never removed.
   * @throws snapshot_exception if the file could not be changed
   */
  made(snapshot_request_id: number, file: string, max_retained: number): string[] {
    const request = this.requests.find((r) => r.snapshot_request_id === snapshot_request_id)
    if (!request || request.block_spacing === 0) return []
    const files = [...(this.files.get(snapshot_request_id) ?? []), file]
    const old = max_retained > 0 ? files.splice(0, Math.max(0, files.length - max_retained)) : []
    this.files.set(snapshot_request_id, files)
    this.save(this.requests)
    return old
  }

  /** Removes requests that no block after an irreversible one can meet.
   *  @throws snapshot_exception when the file could not be changed; they are removed nevertheless */
  expire(irreversible_block_num: number): void {
    const left = this.requests.filter(({ block_spacing, start_block_num, end_block_num }) => {
      const last = block_spacing === 0 ? start_block_num : end_block_num
      return irreversible_block_num < Math.min(last, end_block_num)
    })
    if (left.length === this.requests.length) return
    this.requests = left
    this.save(left)
  }

  private save(requests: SnapshotRequest[]): void {
    if (this.path !== undefined) writeSchedule(this.path, requests, this.files)
    this.requests = requests
    const ids = new Set(requests.map((r) => r.snapshot_request_id))
    for (const id of this.files.keys()) if (!ids.has(id)) this.files.delete(id)
  }
}

function writeSchedule(
  path: string,
  requests: SnapshotRequest[],
  files: ReadonlyMap<number, string[]>,
): void {
  const rows = requests.map((request) => {
    const made_snapshots = files.get(request.snapshot_request_id)
    return made_snapshots?.length ? { ...request, made_snapshots } : request
  })
  const text = `${JSON.stringify({ snapshot_requests: rows }, null, 2)}\n`
  try {
    makeFolder(dirname(path))
    replaceFile(path, [Buffer.from(text)])
  } catch (error) {
    failAs('snapshot_exception', `cannot write the schedule of snapshots ${path}`, error)
  }
}

/** A stored request, with the snapshots that it has made. */
interface KeptRequest {
  request: SnapshotRequest
  files: string[]
}

/** Nothing else is ever removed. */
const SNAPSHOT_FILE = /^snapshot-[0-9a-f]{64}\.bin$/

/** Numbers may be text, as the reference writes them. */
function readSchedule(path: string): KeptRequest[] {
  const wrong = `${path} is not a schedule of snapshots: repair it or remove it`
  const { snapshot_requests } = parseObject(readFileSync(path, 'utf8'), wrong)
  check(Array.isArray(snapshot_requests), 'snapshot_exception', wrong)
  return snapshot_requests.map((row: unknown) => {
    check(typeof row === 'object' && row !== null, 'snapshot_exception', wrong)
    const fields = row as Record<string, unknown>
    const number = (name: string): number => {
      const value = Number(fields[name])
      const is_uint32 = Number.isInteger(value) && value >= 0 && value <= 0xffffffff
      check(fields[name] !== '' && is_uint32, 'snapshot_exception', wrong)
      return value
    }
    const request = {
      snapshot_request_id: number('snapshot_request_id'),
      block_spacing: number('block_spacing'),
      start_block_num: number('start_block_num'),
      end_block_num: number('end_block_num') || NO_END,
      snapshot_description: String(fields['snapshot_description'] ?? ''),
    }
    const files = fields['made_snapshots'] ?? []
    const isFile = (name: unknown) => typeof name === 'string' && SNAPSHOT_FILE.test(name)
    check(Array.isArray(files) && files.every(isFile), 'snapshot_exception', wrong)
    return { request, files: files as string[] }
  })
}

/** An empty object in place of what is not an object or not JSON. */
function parseObject(text: string, wrong: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    check(!(error instanceof SyntaxError), 'snapshot_exception', wrong)
    throw error
  }
  check(typeof value === 'object' && value !== null, 'snapshot_exception', wrong)
  return value as Record<string, unknown>
}
