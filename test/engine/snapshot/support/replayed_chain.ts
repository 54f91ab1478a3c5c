import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Chain } from '../../../../src/engine/chain/chain.ts'
import type { ChainOptions } from '../../../../src/engine/chain/chain_options.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { integrityHash } from '../../../../src/engine/snapshot/integrity_hash.ts'
import { writeSnapshot } from '../../../../src/engine/snapshot/write_snapshot.ts'
import { snapshotJson } from '../../../../src/engine/json/snapshot.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import type { Store } from '../../../../src/engine/store/store.ts'
import { INLINE_BLS } from '../../chain/support/test_chain.ts'

/** Opens a chain whose clock is not the machine's, runs `work` with it, and closes it. */
export async function withChain<T>(
  options: ChainOptions,
  work: (chain: Chain) => T | Promise<T>,
  store: Store = new MemoryStore(),
): Promise<T> {
  let now_us = 0
  const chain = await Chain.open(options, { store, now: () => now_us++, bls: INLINE_BLS })
  try {
    return await work(chain)
  } finally {
    await chain.close()
  }
}

/** The snapshot of the chain's head; a file of it is in the folder. */
export async function snapshotOf(
  chain: Chain,
  folder: string,
): Promise<{ path: string; bytes: Buffer }> {
  const path = join(folder, `${chain.head.block_num}.bin`)
  const source = chain.snapshotSource()
  await writeSnapshot(source, path).finally(() => source.view.release())
  return { path, bytes: readFileSync(path) }
}

export async function hashOf(chain: Chain): Promise<string> {
  const source = chain.snapshotSource()
  return toHex(await integrityHash(source).finally(() => source.view.release()))
}

export function chainJson(chain: Chain): Record<string, { rows: unknown[] }> {
  const source = chain.snapshotSource()
  const text = [...snapshotJson(source)].join('')
  source.view.release()
  return JSON.parse(text) as Record<string, { rows: unknown[] }>
}

/** The error with which something is refused. */
export async function refusalOf(refused: Promise<unknown>): Promise<ChainError> {
  try {
    await refused
  } catch (error) {
    if (error instanceof ChainError) return error
    throw error
  }
  throw new Error('expected a refusal')
}
