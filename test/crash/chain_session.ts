/** A chain with a finalizer at work on a folder, and what it tells while it is. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { ChainOptions } from '../../src/engine/chain/chain_options.ts'
import { ChainError } from '../../src/engine/errors.ts'
import type { BlockLogFiles } from '../../src/engine/store/block_log_files.ts'
import type { Store, StoreCommit } from '../../src/engine/store/store.ts'
import { finalizerKeys } from '../engine/chain/support/savanna_chain.ts'
import { stateDigest } from '../engine/chain/support/state_digest.ts'
import { INLINE_BLS, TestChain } from '../engine/chain/support/test_chain.ts'
import type { FaultyFiles } from './faulty_files.ts'
import { Histories, type Keeping } from './histories.ts'
import type { Rows } from './rows.ts'
import { ChainEvents } from '../../src/engine/chain/chain_events.ts'

/** The finalizer of the chain. */
export const FINALIZER = 1

/** What is there when a process is gone: its files, and the rows that the store has synced. */
export interface Disk {
  folder: string
  rows: Rows
  /** What becomes of old blocks of state history and traces; all are kept if absent. */
  keeping?: Keeping
  /** How the block log is split, and which blocks it keeps; all are kept in one file if absent. */
  block_log?: BlockLogFiles
}

/** A copy that may be spoiled. */
export function copyDisk({ folder, rows }: Disk, to: string): Disk {
  cpSync(folder, to, { recursive: true })
  return { folder: to, rows: rows.copy() }
}

/** What a chain told while it worked. */
export class Told {
  /** Announced blocks: number -> id. */
  readonly blocks = new Map<number, string>()
  /** Digests of the state after blocks, by id. */
  readonly states = new Map<string, string>()
  readonly log: string[] = []
  irreversible = 0
  /** How often the node was told to end. */
  failures = 0
  /** Of the chain that is open. */
  histories: Histories | undefined
  /** What failed did so when the chain was open. */
  at_work = false

  get head(): number {
    return Math.max(0, ...this.blocks.keys())
  }
}

export async function openChain(
  { folder, rows, keeping, block_log = {} }: Disk,
  told: Told,
  files?: FaultyFiles,
  more: ChainOptions = {},
): Promise<TestChain> {
  const options = {
    ...more,
    blocks_dir: join(folder, 'blocks'),
    block_log,
    finalizers_dir: join(folder, 'finalizers'),
    finalizer_keys: finalizerKeys(FINALIZER),
  }
  const log = (level: string, message: string) => void told.log.push(`${level} ${message}`)
  const events = new ChainEvents(log)
  events.on('blockAccepted', ({ block_num, key }) => told.blocks.set(block_num, key))
  events.on('blockIrreversible', ({ block_num }) => (told.irreversible = block_num))
  const histories = new Histories(folder, events, log, keeping)
  const closeHistories = (): Promise<void> =>
    histories.close().catch((error: unknown) => {
      // A process that has ended closes nothing.
      if (files?.dead !== true) throw error
    })
  try {
    const test = await TestChain.open(options, files ? new FaultyStore(rows, files) : rows, {
      bls: { ...INLINE_BLS, sign },
      log,
      onStoreFailure: () => void told.failures++,
      events,
    })
    const close = test.chain.close.bind(test.chain)
    test.chain.close = () => close().finally(closeHistories)
    told.histories = histories
    return test
  } catch (error) {
    await closeHistories()
    throw error
  }
}

/** Signatures take long, and every case asks for the same ones. */
const signatures = new Map<string, Promise<Uint8Array>>()

function sign(secret: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const key = Buffer.from(message).toString('hex')
  const known = signatures.get(key) ?? INLINE_BLS.sign(secret, message)
  signatures.set(key, known)
  return known
}

/** Makes blocks, every second one with an account. */
export async function makeBlocks(test: TestChain, told: Told, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { block_num } = test.head
    if (block_num % 2 === 0) test.createAccount(`acc${letters(block_num)}`)
    const { key } = test.produce()
    told.states.set(key, stateDigest(test.chain.db))
    await test.chain.voted()
    // The store takes its step.
    await new Promise((resolve) => setImmediate(resolve))
    await test.chain.settled()
    await told.histories?.settled()
  }
}

function letters(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}

/** Steps of the store are operations too. */
class FaultyStore implements Store {
  private readonly rows: Rows
  private readonly files: FaultyFiles

  constructor(rows: Rows, files: FaultyFiles) {
    this.rows = rows
    this.files = files
  }
  get head(): Store['head'] {
    return this.rows.head
  }
  async commit(commit: StoreCommit): Promise<void> {
    try {
      await this.files.step('commit state', () => this.rows.commit(commit))
    } catch (error) {
      throw new ChainError('database_exception', (error as Error).message, { cause: error })
    }
  }
  fill(...args: Parameters<Store['fill']>): Promise<void> {
    return this.rows.fill(...args)
  }
  load(sink: Parameters<Store['load']>[0]): Promise<number> {
    return this.rows.load(sink)
  }
  clear(): Promise<void> {
    return this.rows.clear()
  }
  close(): Promise<void> {
    return Promise.resolve()
  }
}
