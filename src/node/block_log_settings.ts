import { resolve } from 'node:path'
import type { BlockLogFiles } from '../engine/index.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'

const RETAIN_OPTION = 'block-log-retain-blocks'
const SPLIT_OPTIONS = [
  'blocks-retained-dir',
  'blocks-archive-dir',
  'blocks-log-stride',
  'max-retained-block-files',
]

/** Blocks are removed by files. So many files have the blocks that are kept, and a file has at least so many blocks. */
const FILES_OF_KEPT_BLOCKS = 8
const MIN_STRIDE = 1000

/**
 * How the block log is split and which blocks it keeps, from the options.
 * spring: plugins/chain_plugin/chain_plugin.cpp (plugin_initialize)
 * @throws OptionError
 */
export function blockLogFiles(values: OptionValues, blocks_dir: string): BlockLogFiles {
  const is_split = SPLIT_OPTIONS.some((name) => values.isGiven(name))
  if (values.isGiven(RETAIN_OPTION)) {
    if (is_split) {
      throw new OptionError(
        `${RETAIN_OPTION} cannot be specified together with ${SPLIT_OPTIONS.join(', ')}`,
      )
    }
    const keep_blocks = values.integer(RETAIN_OPTION)
    const stride = Math.max(MIN_STRIDE, Math.ceil(keep_blocks / FILES_OF_KEPT_BLOCKS))
    return { keep_blocks, stride }
  }
  if (!is_split) return {}
  const integer = (name: string) => (values.isGiven(name) ? values.integer(name) : undefined)
  const stride = integer('blocks-log-stride')
  const max_retained_files = integer('max-retained-block-files')
  const archive = values.text('blocks-archive-dir') ?? 'archive'
  return {
    ...(stride === undefined ? {} : { stride }),
    ...(max_retained_files === undefined ? {} : { max_retained_files }),
    // An empty text is the folder itself.
    retained_dir: resolve(blocks_dir, values.text('blocks-retained-dir') ?? ''),
    ...(archive === '' ? {} : { archive_dir: resolve(blocks_dir, archive) }),
  }
}
