/** Log lines for what takes long at the start: how far it is, how fast, and how long it will take. */
import type { ReplayProgress } from './chain/chain_options.ts'
import { check } from './errors.ts'
import type { ChangeSet } from './state/changes.ts'
import type { Store } from './store/store.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/** Time between two lines. */
const EVERY_US = 5_000_000

/** Called for every replayed block; logs the progress from time to time and at the end. */
export function replayProgress(clock: Clock, log: Log): (progress: ReplayProgress) => void {
  const start_us = clock.now()
  let told = { time_us: start_us, block_num: 0, transactions: 0 }
  let first = 0
  return ({ block_num, last, transactions }) => {
    const time_us = clock.now()
    if (first === 0) {
      first = block_num
      told = { time_us: start_us, block_num: block_num - 1, transactions: 0 }
    }
    if (block_num === last) {
      const blocks = last - first + 1
      const seconds = (time_us - start_us) / 1e6
      log('info', `replayed ${blocks} blocks up to ${last} in ${seconds.toFixed(1)} s`, {
        block_num,
        transactions,
      })
      return
    }
    if (time_us - told.time_us < EVERY_US) return
    const seconds = (time_us - told.time_us) / 1e6
    const rate = (block_num - told.block_num) / seconds
    const share = ((block_num / last) * 100).toFixed(1)
    const trx_rate = Math.round((transactions - told.transactions) / seconds)
    log(
      'info',
      `replayed block ${block_num} of ${last} (${share} %), ${Math.round(rate)} blocks and ` +
        `${trx_rate} transactions a second, ${duration((last - block_num) / rate)} left`,
      { block_num, transactions },
    )
    told = { time_us, block_num, transactions }
  }
}

/**
 * Called with the share of a long task that is done; logs it from time to time with the remaining
 * time.
 */
export function shareProgress(clock: Clock, log: Log, what: string): (share: number) => void {
  const start_us = clock.now()
  let told_us = start_us
  let calls = 0
  return (share) => {
    if (++calls % CALLS !== 0) return
    const now_us = clock.now()
    if (now_us - told_us < EVERY_US) return
    told_us = now_us
    const seconds = (now_us - start_us) / 1e6
    const left = (seconds * (1 - share)) / share
    log(
      'info',
      `${what}: ${(share * 100).toFixed(1)} % in ${duration(seconds)}, ${duration(left)} left`,
    )
  }
}

/** Number of calls between two reads of the clock. */
const CALLS = 16

/**
 * Wraps a store: the loading of its rows and the filling are logged.
 * @param stop is called meanwhile; true stops them
 */
export function reportLoading(
  store: Store,
  clock: Clock,
  log: Log,
  stop: () => boolean = () => false,
): Store {
  return {
    get head() {
      return store.head
    },
    commit: (commit) => store.commit(commit),
    async fill(head, sets) {
      const start_us = clock.now()
      const { block_num } = head
      const onProgress = countProgress(clock, log, `storing the state of block ${block_num}`)
      await store.fill(head, countEach(sets, onProgress, stop))
      const seconds = (clock.now() - start_us) / 1e6
      log('info', `stored the state of block ${block_num} in ${seconds.toFixed(1)} s`, {
        block_num,
      })
    },
    clear: () => store.clear(),
    close: () => store.close(),
    async load(sink) {
      const start_us = clock.now()
      const block_num = store.head?.block_num ?? 0
      const onProgress = shareProgress(clock, log, `loading the state of block ${block_num}`)
      const rows = await store.load(sink, (share) => {
        check(!stop(), 'interrupt_exception', 'the loading of the state was stopped')
        onProgress(share)
      })
      const seconds = (clock.now() - start_us) / 1e6
      const rate = Math.round(rows / Math.max(seconds, 1e-6))
      log(
        'info',
        `loaded the state of block ${block_num}: ${rows} rows in ${seconds.toFixed(1)} s, ` +
          `${rate} a second`,
        { block_num, rows },
      )
      return rows
    },
  }
}

/** Called with the number of rows that are done; logs it from time to time. */
function countProgress(clock: Clock, log: Log, what: string): (rows: number) => void {
  const start_us = clock.now()
  let told_us = start_us
  return (rows) => {
    const now_us = clock.now()
    if (now_us - told_us < EVERY_US) return
    told_us = now_us
    log('info', `${what}: ${rows} rows in ${duration((now_us - start_us) / 1e6)}`, { rows })
  }
}

function* countEach(
  sets: Iterable<ChangeSet>,
  onProgress: (rows: number) => void,
  stop: () => boolean,
): Generator<ChangeSet> {
  let rows = 0
  for (const set of sets) {
    check(!stop(), 'interrupt_exception', 'the storing of the state was stopped')
    yield set
    rows += set.count
    onProgress(rows)
  }
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
