/** Finds the ids and keys of the transactions of whole blocks on several threads, the calling one among them. */
import type { Worker } from 'node:worker_threads'
import type { SignedBlock } from '../protocol/block.ts'
import { endThread, startHelper } from '../start_thread.ts'
import { BlockKeys } from './block_keys.ts'

/**
 * A number of threads besides the calling one, which start with the first block; with 0 the calling thread does all the
 * work. If a thread fails, the calling thread does what is left of a block.
 */
export class BlockKeyThreads {
  readonly size: number
  private threads: Worker[] | undefined

  constructor(size: number) {
    this.size = size
  }

  /** Starts the threads before the first block is there, which takes them some 100 ms. */
  start(): void {
    this.threads ??= Array.from({ length: this.size }, () =>
      startHelper('./block_key_worker', import.meta.url),
    )
  }

  /** Gives a block to the threads. The caller calls `work` of the answer when it needs the results. */
  begin(block: SignedBlock, packed: Uint8Array, chain_id: Uint8Array): BlockKeys {
    this.start()
    const keys = BlockKeys.create(block, packed, chain_id)
    for (const thread of this.threads ?? []) thread.postMessage(keys.shared)
    return keys
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all((this.threads ?? []).map((thread) => endThread(thread)))
    this.threads = []
  }
}
