import { resolve } from 'node:path'
import { parseAddress } from '../../options/address.ts'
import { OptionError } from '../../options/option_error.ts'
import type { OptionReader } from '../../options/option_reader.ts'
import type { NodeFacts } from '../service.ts'
import type { HistoryAddress } from './history_server.ts'
import type { HistoryLogOptions } from './history_log.ts'
import type { SplitOptions } from './log_catalog.ts'

/** The settings of state history, from its options. */
export interface StateHistorySettings {
  /** Absolute. */
  readonly folder: string
  /** The logs that are written. */
  readonly parts: { traces: boolean; deltas: boolean; finality_data: boolean }
  /** Times, console output and texts of exceptions are written too. */
  readonly debug_traces: boolean
  readonly delete_first: boolean
  readonly retain_blocks: number | undefined
  /** No option gives it. */
  readonly prune_step?: HistoryLogOptions['prune_step']
  readonly split: SplitOptions | undefined
  readonly addresses: readonly HistoryAddress[]
}

const SPLIT_OPTIONS = [
  'state-history-retained-dir',
  'state-history-archive-dir',
  'state-history-stride',
  'max-retained-history-files',
]
const DEFAULT_STRIDE = 1_000_000
const MAX_RETAINED = 0xffffffff
/** Fewer blocks would be removed before readers get them after a fork. */
const MIN_RETAINED_BLOCKS = 1000

/**
 * The settings of state history; undefined if it is off: it is on if its plugin is named, or a history is.
 * @throws OptionError
 */
export function stateHistorySettings(
  values: OptionReader,
  { data_dir, plugins }: NodeFacts,
): StateHistorySettings | undefined {
  const parts = {
    traces: values.switch('trace-history'),
    deltas: values.switch('chain-state-history'),
    finality_data: values.switch('finality-data-history'),
  }
  const is_on = plugins.has('state_history') || Object.values(parts).includes(true)
  if (!is_on) return undefined
  const folder = resolve(data_dir, values.text('state-history-dir')!)
  return {
    folder,
    parts,
    debug_traces: values.switch('trace-history-debug-mode'),
    delete_first: values.switch('delete-state-history'),
    retain_blocks: retainBlocks(values),
    split: splitOptions(values, folder),
    addresses: addressesOf(values, data_dir),
  }
}

function retainBlocks(values: OptionReader): number | undefined {
  const option = 'state-history-log-retain-blocks'
  if (!values.isGiven(option)) return undefined
  const blocks = values.integer(option)
  if (blocks < MIN_RETAINED_BLOCKS)
    throw new OptionError(`${option} must be 1000 blocks or greater`)
  if (SPLIT_OPTIONS.some((name) => values.isGiven(name))) {
    throw new OptionError(`${option} cannot be used together with ${SPLIT_OPTIONS.join(', ')}`)
  }
  return blocks
}

function splitOptions(values: OptionReader, folder: string): SplitOptions | undefined {
  if (!SPLIT_OPTIONS.some((name) => values.isGiven(name))) return undefined
  const integer = (name: string, otherwise: number): number =>
    values.isGiven(name) ? values.integer(name) : otherwise
  const retained = values.text('state-history-retained-dir') ?? 'retained'
  const archive = values.text('state-history-archive-dir') ?? 'archive'
  return {
    stride: integer('state-history-stride', DEFAULT_STRIDE),
    max_retained_files: integer('max-retained-history-files', MAX_RETAINED),
    // An empty text is the folder itself.
    retained_dir: retained === '' ? folder : resolve(folder, retained),
    archive_dir: archive === '' ? undefined : resolve(folder, archive),
  }
}

function addressesOf(values: OptionReader, data_dir: string): HistoryAddress[] {
  const addresses: HistoryAddress[] = []
  const endpoint = values.text('state-history-endpoint')
  if (endpoint) {
    const option = `state-history-endpoint ${endpoint}`
    addresses.push({ address: parseAddress('state-history-endpoint', endpoint, data_dir), option })
  }
  const path = values.text('state-history-unix-socket-path')
  if (path) {
    const option = `state-history-unix-socket-path ${path}`
    addresses.push({ address: { path: resolve(data_dir, path) }, option })
  }
  return addresses
}
