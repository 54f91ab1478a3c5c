/** Schedules of snapshots as the reference answered, exchange by exchange. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import { SnapshotSchedule } from '../../../../src/engine/services/snapshots/snapshot_schedule.ts'
import {
  scheduleSnapshotRequest,
  unscheduleSnapshotRequest,
} from '../../../../src/engine/services/snapshots/requests.ts'

interface Exchange {
  note?: string
  path?: string
  body?: string
  status: number
  response: string
}

const RECORDED = fileURLToPath(
  new URL('../../../fixtures/recordings/one/live.jsonl.gz', import.meta.url),
)
/** The head while the recorded requests were made, as their defaults tell. */
const HEAD = 106

const exchanges = gunzipSync(readFileSync(RECORDED))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Exchange)
  .filter(({ path, status }) => path?.includes('snapshot') && status !== 400)

describe('recorded schedules of snapshots', () => {
  it('are answered as the reference answered', () => {
    const schedule = new SnapshotSchedule()
    let answered = 0
    for (const exchange of exchanges) {
      const operation = exchange.path!.split('/').at(-1)!
      const what = `${exchange.note ?? operation} ${exchange.body ?? ''}`
      const body: unknown = JSON.parse(exchange.body ?? '{}')
      // Between these the recorded chain made blocks, and requests were met.
      if (exchange.note?.startsWith('about')) expireAsRecorded(schedule, exchange)
      const answer = answerOf(schedule, operation, body)
      if (answer === undefined) continue
      const recorded = withoutPending(JSON.parse(exchange.response))
      expect(answer, what).deep.equal(recorded)
      answered++
    }
    expect(answered).equal(32)
  })
})

/** The answer, or what is recorded of an error; undefined for other operations. */
function answerOf(schedule: SnapshotSchedule, operation: string, body: unknown): unknown {
  try {
    switch (operation) {
      case 'schedule_snapshot':
        return schedule.add(scheduleSnapshotRequest(body as never), HEAD)
      case 'unschedule_snapshot':
        return schedule.remove(unscheduleSnapshotRequest(body as never))
      case 'get_snapshot_requests':
        return { snapshot_requests: [...schedule.all] }
      default:
        return undefined
    }
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const { code, errorName: name, what, message } = error
    return { code, name, what, message }
  }
}

/** Errors without the place in the reference's source, requests without their pending snapshots. */
function withoutPending(answer: Record<string, unknown>): unknown {
  const error = answer['error'] as { details: { message: string }[] } | undefined
  if (error) {
    const { details, ...rest } = error
    return { ...rest, message: details[0]!.message }
  }
  const requests = answer['snapshot_requests'] as Record<string, unknown>[] | undefined
  if (!requests) return answer
  const snapshot_requests = requests.map(({ pending_snapshots, ...request }) => {
    expect(pending_snapshots).an('array')
    return request
  })
  return { snapshot_requests }
}

/** The note tells the age; under Savanna two blocks are reversible. */
function expireAsRecorded(schedule: SnapshotSchedule, { note }: Exchange): void {
  const blocks = Number(/about (\d+)/.exec(note!)![1])
  schedule.expire(HEAD + blocks - 2)
}
