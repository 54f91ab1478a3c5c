import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fromHex, isForkSnapshot, type EngineOptions } from '../engine/index.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'

type Source = Pick<EngineOptions, 'snapshot' | 'replay'>

/** Options that name another source of the chain. */
const SOURCES: Readonly<Record<string, string>> = {
  snapshot: 'the fork begins with its own snapshot, give one of them',
  replay: 'the blocks of the public chain are not blocks of a fork',
  'genesis-json': 'a snapshot has its own genesis, give one of them',
  'genesis-timestamp': 'a snapshot has its own genesis, give one of them',
}
const PEERS = [
  'p2p-peer-address',
  'p2p-listen-endpoint',
  'p2p-auto-bp-peer',
  'p2p-bp-gossip-endpoint',
]

/** The file in the data folder that keeps the first state of a fork. */
export function forkFile(data_dir: string): string {
  return resolve(data_dir, 'fork.bin')
}

/**
 * Whether the node runs a fork of a public chain: by option, by a snapshot of a fork, or because
 * the data folder has one.
 * @throws OptionError if other options contradict it; ChainError for a snapshot that cannot be read
 */
export function isForkOf(values: OptionValues, data_dir: string, source: Source): boolean {
  const is_fork = speaksOfFork(values, data_dir, source)
  for (const option of is_fork ? PEERS : []) {
    if (values.list(option).every((value) => value === '')) continue
    throw new OptionError(`${option}: this chain is a fork of a public chain, and has no peers`)
  }
  return is_fork
}

function speaksOfFork(values: OptionValues, data_dir: string, { snapshot }: Source): boolean {
  const fork = values.text('fork')
  if (fork === undefined) {
    if (snapshot !== undefined) return isForkSnapshot(snapshot)
    return existsSync(forkFile(data_dir)) && !values.switch('delete-all-blocks')
  }
  for (const [option, why] of Object.entries(SOURCES)) {
    if (values.isGiven(option)) throw new OptionError(`fork and ${option}: ${why}`)
  }
  if (!existsSync(fork)) throw new OptionError(`fork: there is no file ${fork}`)
  return true
}

/** Those who take over a fork, by their options. */
export interface ForkKeys {
  producers: readonly bigint[]
  /** By public key in hex. */
  signing_keys: ReadonlyMap<string, unknown>
  finalizer_keys: ReadonlyMap<string, unknown>
}

/**
 * The fork that --fork asks for; undefined if it is not given.
 * @throws OptionError if there is no key to sign blocks with
 */
export function forkOption(values: OptionValues, keys: ForkKeys): EngineOptions['fork'] {
  const snapshot = values.text('fork')
  if (snapshot === undefined) return undefined
  const [signing_key] = keys.signing_keys.keys()
  if (signing_key === undefined) {
    throw new OptionError('fork: signature-provider names no key for blocks, only for votes')
  }
  return {
    snapshot,
    producers: keys.producers,
    signing_key: fromHex(signing_key),
    finalizers: [...keys.finalizer_keys.keys()].map((key) => fromHex(key)),
  }
}
