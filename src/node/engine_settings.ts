import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  BLOCK_INTERVAL_US,
  actionEntry,
  currentLog,
  defaultRules,
  defaultGenesis,
  genesisFromJson,
  nameFromString,
  nameToString,
  publicKeyFromString,
  serviceSettings,
  toHex,
  type EngineOptions,
  type MutableRules,
} from '../engine/index.ts'
import {
  LOST_BLOCKS,
  READ_MODES,
  VALIDATION_MODES,
  genesisTimestamp,
} from '../options/chain_options.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'
import { pluginsNamed } from '../options/plugins.ts'
import { blockLogFiles } from './block_log_settings.ts'
import { DEVELOPMENT_PRODUCER } from './development.ts'
import { forkFile, forkOption, isForkOf } from './fork_source.ts'
import { featureFiles } from './feature_files.ts'
import { namesOf, parsed, switchOr } from '../engine/options/option_text.ts'
import { checkGenesisFits, otherChain } from './other_chain.ts'
import { finalizerKeys, signingKeys } from './signature_providers.ts'

/** Converts the options of the node to settings of the engine. */
export interface NodeSettings {
  data_dir: string
  /**
   * No producer is given, and no setting selects another chain: this is a development chain. A fork
   * is one too.
   */
  development: boolean
  /** The reason why nothing is produced; absent if a producer is named. */
  idle_reason?: string
  producer_names: readonly string[]
  engine: EngineOptions
}

/** Folder of prepared codes: it may be deleted at any time. */
const CODE_CACHE = 'code-cache'
/** One percent of the protocol's shares. */
const PERCENT = 100

/** The engine's options from the user's.
 *  @throws OptionError for every value that is wrong, ChainError for blocks that cannot be read */
export function nodeSettings(values: OptionValues, version: string, now_us: number): NodeSettings {
  const data_dir = resolve(values.text('data-dir')!)
  const source = sourceOf(values, data_dir, now_us)
  const named = values.isGiven('producer-name')
  checkGenesisFits(values, source)
  const is_fork = isForkOf(values, data_dir, source)
  const idle_reason = named || is_fork ? undefined : otherChain(values, source)
  const development = is_fork || (!named && idle_reason === undefined)
  const producers = named
    ? values.parsed('producer-name', nameFromString)
    : development
      ? [nameFromString(DEVELOPMENT_PRODUCER)]
      : []
  const signing_keys = signingKeys(values)
  const plugins = pluginsNamed(values.list('plugin'))
  const validation = validationOf(values)
  const finalizer_keys = finalizerKeys(values, development)
  if (validation.read_mode === 'irreversible') checkFollows(producers, finalizer_keys)
  const fork = forkOption(values, { producers, signing_keys, finalizer_keys })
  const facts = { data_dir, plugins, development, producers, signing_keys }
  return {
    data_dir,
    development,
    ...(idle_reason === undefined ? {} : { idle_reason }),
    producer_names: producers.map(nameToString),
    engine: {
      data_dir,
      state_dir: resolve(data_dir, values.text('state-dir')!),
      code_cache_dir: resolve(data_dir, CODE_CACHE),
      features: featureFiles(featuresFolder(values)),
      ...source,
      ...(fork ? { fork } : {}),
      fork_file: forkFile(data_dir),
      terminate_at_block: values.integer('terminate-at-block'),
      rules: { ...rulesOf(values, development), ...(is_fork ? { any_account: 'all' } : {}) },
      validation,
      services: serviceSettings(values, facts),
      finalizer_keys,
      finalizers_dir: resolve(data_dir, values.text('finalizers-dir')!),
      savanna_from_start: development && !is_fork && !source.snapshot && !source.replay,
      abi_serializer_max_time_us: values.integer('abi-serializer-max-time-ms') * 1000,
      max_response_time_ms: values.integer('http-max-response-time-ms'),
      accept_transactions: values.bool('api-accept-transactions'),
      print_console: values.switch('contracts-console'),
      warm_up: values.bool('warm-up'),
      version,
    },
  }
}

type SourceOptions = Pick<
  EngineOptions,
  'blocks_dir' | 'block_log' | 'genesis' | 'snapshot' | 'snapshot_of_own_chain' | 'replay'
>

/** The source of the chain. */
function sourceOf(values: OptionValues, data_dir: string, now_us: number): SourceOptions {
  const snapshot = values.text('snapshot')
  for (const option of ['genesis-json', 'genesis-timestamp']) {
    if (snapshot === undefined || !values.isGiven(option)) continue
    throw new OptionError(
      `snapshot and ${option}: a snapshot has its own genesis, give one of them`,
    )
  }
  const state = values.text('load-state')
  for (const option of ['snapshot', 'fork', 'replay', 'genesis-json', 'genesis-timestamp']) {
    if (state === undefined || !values.isGiven(option)) continue
    throw new OptionError(
      `load-state and ${option}: a state is a chain of its own, give one of them`,
    )
  }
  const blocks_dir = resolve(data_dir, values.text('blocks-dir')!)
  if (state !== undefined && hasChain(values, blocks_dir)) {
    throw new OptionError(
      `load-state: ${blocks_dir} has a chain already; continue it without load-state, name another data-dir, ` +
        'or give delete-all-blocks too, which deletes it',
    )
  }
  const replay = values.text('replay')
  const genesis = genesisOf(values, now_us)
  return {
    blocks_dir,
    block_log: blockLogFiles(values, blocks_dir),
    ...(genesis ? { genesis } : {}),
    ...(replay === undefined ? {} : { replay: existing(replay, 'replay') }),
    ...(snapshot === undefined ? {} : { snapshot: existing(snapshot, 'snapshot') }),
    ...(state === undefined
      ? {}
      : { snapshot: existing(state, 'load-state'), snapshot_of_own_chain: true }),
  }
}

function hasChain(values: OptionValues, blocks_dir: string): boolean {
  return currentLog(blocks_dir) !== undefined && !values.switch('delete-all-blocks')
}

function featuresFolder(values: OptionValues): string {
  const config_dir = values.text('config-dir') ?? values.text('data-dir')!
  return resolve(config_dir, values.text('protocol-features-dir')!)
}

function rulesOf(values: OptionValues, development: boolean): EngineOptions['rules'] {
  const names = (option: string) => namesOf(values, option)
  return {
    ...(defaultRules() as MutableRules),
    actor_whitelist: names('actor-whitelist'),
    actor_blacklist: names('actor-blacklist'),
    contract_whitelist: names('contract-whitelist'),
    contract_blacklist: names('contract-blacklist'),
    action_blacklist: new Set(values.parsed('action-blacklist', actionEntry)),
    key_blacklist: new Set(values.parsed('key-blacklist', publicKeyFromString).map(toHex)),
    sender_bypass_whiteblacklist: names('sender-bypass-whiteblacklist'),
    resource_greylist: names('greylist-account'),
    greylist_limit: values.integer('greylist-limit'),
    subjective_cpu_leeway_us: values.isGiven('subjective-cpu-leeway-us')
      ? values.integer('subjective-cpu-leeway-us')
      : undefined,
    sig_cpu_bill_pct: values.integer('signature-cpu-billable-pct') * PERCENT,
    maximum_variable_signature_length: values.integer('maximum-variable-signature-length'),
    // Console output of contracts is in their traces; only the option also writes it to the log.
    contracts_console: switchOr(values, 'contracts-console', development),
    allow_ram_billing_in_notify: values.switch('disable-ram-billing-notify-checks'),
  }
}

function validationOf(values: OptionValues): EngineOptions['validation'] {
  return {
    read_mode: values.choice('read-mode', READ_MODES),
    validation_mode: values.choice('validation-mode', VALIDATION_MODES),
    trusted_producers: [...namesOf(values, 'trusted-producer')],
    force_all_checks: values.switch('force-all-checks'),
    sync_blocks: values.bool('sync-blocks'),
    vote_threads: values.integer('vote-threads'),
    lost_blocks: values.choice('lost-blocks', LOST_BLOCKS),
  }
}

/** A node that executes blocks when they are irreversible neither produces nor votes.
 *  spring: plugins/producer_plugin/producer_plugin.cpp (plugin_startup) */
function checkFollows(
  producers: readonly bigint[],
  finalizer_keys: ReadonlyMap<string, unknown>,
): void {
  if (producers.length > 0) {
    throw new OptionError(
      'node cannot have any producer-name configured because block production is impossible ' +
        'when read_mode is "irreversible"',
    )
  }
  if (finalizer_keys.size > 0) {
    throw new OptionError(
      'node cannot have any finalizers configured because finalization is impossible when ' +
        'read_mode is "irreversible"',
    )
  }
}

function genesisOf(values: OptionValues, now_us: number): EngineOptions['genesis'] {
  const file = values.text('genesis-json')
  const [timestamp] = values.parsed('genesis-timestamp', genesisTimestamp)
  if (file === undefined && timestamp === undefined) return undefined
  let genesis = defaultGenesis()
  if (file !== undefined) {
    if (statSync(existing(file, 'genesis-json')).isDirectory()) {
      throw new OptionError(`genesis-json: ${file} is a folder, not a file`)
    }
    const text = readFileSync(file, 'utf8')
    genesis = parsed('genesis-json', text, (json) => genesisFromJson(JSON.parse(json)), file)
  }
  if (timestamp !== undefined) {
    // The time of a slot. spring: plugins/chain_plugin/chain_plugin.cpp (calculate_genesis_timestamp)
    const time_us = timestamp === 'now' ? now_us : timestamp
    genesis.initial_timestamp = Math.ceil(time_us / BLOCK_INTERVAL_US) * BLOCK_INTERVAL_US
  }
  return genesis
}

function existing(file: string, option: string): string {
  if (!existsSync(file)) throw new OptionError(`${option}: there is no file ${file}`)
  return file
}
