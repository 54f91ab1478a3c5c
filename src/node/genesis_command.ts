import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ChainError, genesisOfLog, genesisToJson, type BlockLogFiles } from '../engine/index.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'
import { blockLogFiles } from './block_log_settings.ts'

/**
 * `--print-genesis-json` and `--extract-genesis-json FILE`: the genesis of the block log.
 * @returns the text to print
 * @throws OptionError for errors that the user can correct
 */
export function runGenesisCommand(values: OptionValues): string {
  const blocks_dir = resolve(values.text('data-dir')!, values.text('blocks-dir')!)
  const text =
    JSON.stringify(
      genesisToJson(genesisOf(blocks_dir, blockLogFiles(values, blocks_dir))),
      undefined,
      2,
    ) + '\n'
  const file = values.text('extract-genesis-json')
  if (file !== undefined) write(file, text)
  return values.switch('print-genesis-json') ? text : ''
}

function genesisOf(blocks_dir: string, { retained_dir }: BlockLogFiles) {
  try {
    const genesis = genesisOfLog(blocks_dir, retained_dir)
    if (genesis) return genesis
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new OptionError(error.message)
  }
  throw new OptionError(
    `Block log at '${blocks_dir}/blocks.log' does not contain a genesis state, it only has the chain-id.`,
  )
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new OptionError(`extract-genesis-json: ${(error as Error).message}`)
  }
}
