import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { abiFromJson } from '../../abi/abi_json.ts'
import { compileAbi, type CompiledAbi } from '../../abi/compiled_abi.ts'
import { ChainError } from '../../errors.ts'
import { OptionError } from '../../options/option_error.ts'
import type { OptionReader } from '../../options/option_reader.ts'
import { switchOr } from '../../options/option_text.ts'
import { nameFromString } from '../../protocol/name.ts'
import type { NodeFacts } from '../service.ts'
import type { Retention } from './slice_maintenance.ts'

/** The settings of the trace API, from its options. */
export interface TraceApiSettings {
  /** Absolute. */
  readonly folder: string
  readonly stride: number
  readonly retention: Retention
  readonly abis: ReadonlyMap<bigint, CompiledAbi>
  /** Accounts without such an ABI have their own. */
  readonly chain_abis: boolean
  /** The blocks are deleted, and so are their traces. */
  readonly delete_first: boolean
  /** Microseconds for the conversions of one request. */
  readonly max_conversion_us: number
}

const ABI_OPTIONS = ['trace-rpc-abi', 'trace-no-abis', 'trace-chain-abis']

/** The reference has no limit for traces, whatever its option says. spring: abi_data_handler.cpp */
const MIN_CONVERSION_MS = 15

/**
 * The settings of the trace API; undefined if it is off: it is on if its plugin is named, if ABIs are configured, and
 * on a development chain.
 * @throws OptionError
 */
export function traceApiSettings(
  values: OptionReader,
  { data_dir, development, plugins }: NodeFacts,
): TraceApiSettings | undefined {
  const has_abis = ABI_OPTIONS.some((name) => values.isGiven(name))
  const is_named = plugins.has('trace_api')
  const is_default = development && plugins.size === 0
  if (!is_named && !has_abis && !is_default) return undefined
  const given = values.list('trace-rpc-abi')
  const no_abis = values.switch('trace-no-abis')
  const chain_abis = switchOr(values, 'trace-chain-abis', development && !no_abis)
  if (given.length > 0 && no_abis) {
    throw new OptionError('Trace API is configured with ABIs however trace-no-abis is set')
  }
  if (given.length === 0 && !no_abis && !chain_abis) {
    throw new OptionError(
      'Trace API is not configured with ABIs and trace-no-abis is not set: give trace-rpc-abi, ' +
        'trace-chain-abis or trace-no-abis',
    )
  }
  const blocks = (name: string): number | undefined => {
    const count = values.integer(name)
    return count < 0 ? undefined : count
  }
  return {
    folder: resolve(data_dir, values.text('trace-dir')!),
    stride: values.integer('trace-slice-stride'),
    retention: {
      kept_blocks: blocks('trace-minimum-irreversible-history-blocks'),
      uncompressed_blocks: blocks('trace-minimum-uncompressed-irreversible-history-blocks'),
    },
    abis: new Map(given.map((value) => abiOf(value, data_dir))),
    chain_abis: chain_abis && !no_abis,
    delete_first: values.switch('delete-all-blocks'),
    max_conversion_us:
      Math.max(values.integer('abi-serializer-max-time-ms'), MIN_CONVERSION_MS) * 1000,
  }
}

/** Reads `ACCOUNT=FILE`. spring: plugins/trace_api_plugin/configuration_utils.cpp */
function abiOf(value: string, data_dir: string): [bigint, CompiledAbi] {
  const wrong = (reason: string): never => {
    throw new OptionError(`Malformed trace-rpc-abi provider: "${value}": ${reason}`)
  }
  const at = value.indexOf('=')
  if (at < 0) wrong('Missing "="')
  if (at === 0) wrong('Missing Key')
  if (at + 1 === value.length) wrong('Missing Value')
  const path = resolve(data_dir, value.slice(at + 1))
  const is_file = existsSync(path) && !statSync(path).isDirectory()
  if (!is_file) wrong(`${path} does not exist or is not a file`)
  try {
    const json: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return [nameFromString(value.slice(0, at)), compileAbi(abiFromJson(json))]
  } catch (error) {
    if (!(error instanceof ChainError) && !(error instanceof SyntaxError)) throw error
    return wrong(error.message)
  }
}
