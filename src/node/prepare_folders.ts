import { existsSync, rmSync } from 'node:fs'
import {
  ChainError,
  eraseBlocks,
  eraseState,
  firstBlockOfLog,
  isSystemError,
  makeFolder,
  type Log,
} from '../engine/index.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'
import type { NodeSettings } from './engine_settings.ts'

/**
 * Makes the data folder, and deletes what the user wants to have deleted.
 * @throws OptionError when that is impossible, or would lose what cannot be made again
 */
export async function prepareFolders(
  settings: NodeSettings,
  values: OptionValues,
  log: Log,
): Promise<void> {
  const { data_dir, engine } = settings
  const anew = values.switch('delete-all-blocks')
  const again = values.switch('replay-blockchain')
  if (anew && again) {
    throw new OptionError(
      'delete-all-blocks and replay-blockchain: without blocks nothing is replayed',
    )
  }
  try {
    makeFolder(data_dir)
    if (engine.finalizer_keys.size > 0) makeFinalizersFolder(engine.finalizers_dir)
    if (again) checkReplay(engine)
    if (anew || again) await eraseState(engine.state_dir)
    if (anew) eraseBlocks(engine.blocks_dir, engine.block_log)
    if (anew && engine.fork_file !== undefined) rmSync(engine.fork_file, { force: true })
    if (anew) log('info', 'the state and the blocks are deleted')
    if (again) log('info', 'the state is deleted, and made again from the blocks')
  } catch (error) {
    if (!(error instanceof ChainError) && !isSystemError(error)) throw error
    throw new OptionError(`data-dir: ${error.message}`)
  }
}

/** spring: plugins/chain_plugin/chain_plugin.cpp (replay-blockchain) */
function checkReplay({ blocks_dir, block_log, snapshot, fork_file }: NodeSettings['engine']): void {
  const first = firstBlockOfLog(blocks_dir, block_log?.retained_dir)
  const from_snapshot = [snapshot, fork_file].some((file) => file !== undefined && existsSync(file))
  if (first === undefined) {
    throw new OptionError(`replay-blockchain: there is no block log in ${blocks_dir}`)
  }
  if (first > 1 && !from_snapshot) {
    throw new OptionError(
      `replay-blockchain without snapshot requested without a full block log, first block: ${first}`,
    )
  }
}

/**
 * A finalizer that cannot store its safety information never votes. The start reports this, instead
 * of each vote.
 */
function makeFinalizersFolder(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new OptionError(`finalizers-dir: ${error.message}`)
  }
}
