import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  ChainError,
  DEFAULT_RUNTIME_OPTIONS,
  actionEntry,
  defaultRules,
  defaultGenesis,
  genesisFromJson,
  nameFromString,
  parseTimePoint,
  privateKeyFromString,
  publicKeyFromString,
  publicKeyOf,
  toHex,
  type EngineOptions,
  type MutableRules,
} from '../engine/index.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'
import {
  DEVELOPMENT_PRIVATE_KEY,
  DEVELOPMENT_PRODUCER,
  DEVELOPMENT_PUBLIC_KEY,
} from './development.ts'

/** What the node was told, in the engine's terms. */
export interface NodeSettings {
  data_dir: string
  /** Nobody named a producer: this is a development chain. */
  development: boolean
  producer_names: readonly string[]
  engine: EngineOptions
}

const HALF_SECOND_US = 500_000

/** The engine's options from the user's.
 *  @throws OptionError for every value that is wrong */
export function nodeSettings(values: OptionValues, version: string, now_us: number): NodeSettings {
  const development = !values.isGiven('producer-name')
  const producer_names = development ? [DEVELOPMENT_PRODUCER] : values.list('producer-name')
  const data_dir = resolve(values.text('data-dir')!)
  const replay = values.text('replay')
  const terminate_at_block = values.integer('terminate-at-block')
  const genesis = genesisOf(values, now_us)
  return {
    data_dir,
    development,
    producer_names,
    engine: {
      data_dir,
      ...(genesis ? { genesis } : {}),
      ...(replay === undefined ? {} : { replay: existing(replay, 'replay') }),
      terminate_at_block,
      rules: rulesOf(values),
      producer: producerOf(values, producer_names, development),
      abi_serializer_max_time_us: values.integer('abi-serializer-max-time-ms') * 1000,
      max_response_time_ms: values.integer('http-max-response-time-ms'),
      accept_transactions: values.bool('api-accept-transactions'),
      print_console: values.switch('contracts-console'),
      version,
    },
  }
}

function producerOf(
  values: OptionValues,
  producer_names: readonly string[],
  development: boolean,
): EngineOptions['producer'] {
  return {
    producers: producer_names.map((name) => parsed('producer-name', name, nameFromString)),
    signing_keys: signingKeys(values),
    enable_stale_production: development || values.switch('enable-stale-production'),
    pause_on_startup: values.switch('pause-on-startup'),
    max_block_cpu_usage_threshold_us: values.integer('max-block-cpu-usage-threshold-us'),
    max_block_net_usage_threshold_bytes: values.integer('max-block-net-usage-threshold-bytes'),
    max_queue_bytes: values.integer('incoming-transaction-queue-size-mb') * 2 ** 20,
    recovery_threads: values.integer('chain-threads'),
    runtime: {
      ...DEFAULT_RUNTIME_OPTIONS,
      max_transaction_time: values.integer('max-transaction-time'),
      max_irreversible_block_age: values.integer('max-irreversible-block-age'),
      produce_block_offset_ms: values.integer('produce-block-offset-ms'),
    },
  }
}

/** `PUBLIC=KEY:PRIVATE` for each key; the development key when none is given. */
function signingKeys(values: OptionValues): EngineOptions['producer']['signing_keys'] {
  const given = values.list('signature-provider')
  const development = `${DEVELOPMENT_PUBLIC_KEY}=KEY:${DEVELOPMENT_PRIVATE_KEY}`
  const keys = new Map()
  for (const spec of given.length > 0 ? given : [development]) {
    const match = /^([^=]+)=KEY:(.+)$/.exec(spec)
    const [, public_text, private_text] = match ?? []
    if (public_text === undefined || private_text === undefined) {
      const name = spec.split('=')[0]
      throw new OptionError(`signature-provider "${name}=…": write PUBLIC_KEY=KEY:PRIVATE_KEY`)
    }
    if (public_text.startsWith('PUB_BLS_')) {
      throw new OptionError(
        `signature-provider ${public_text}: finalizer keys are not supported yet`,
      )
    }
    const public_key = parsed('signature-provider', public_text, publicKeyFromString)
    // The text of a private key must not reach a message.
    const private_key = parsed('signature-provider', private_text, privateKeyFromString, '(hidden)')
    if (toHex(publicKeyOf(private_key)) !== toHex(public_key)) {
      throw new OptionError(`signature-provider ${public_text}: the private key is another one's`)
    }
    keys.set(toHex(public_key), private_key)
  }
  return keys
}

function rulesOf(values: OptionValues): EngineOptions['rules'] {
  const names = (option: string) =>
    new Set(values.list(option).map((name) => parsed(option, name, nameFromString)))
  const key = (text: string) => toHex(publicKeyFromString(text))
  return {
    ...(defaultRules() as MutableRules),
    actor_whitelist: names('actor-whitelist'),
    actor_blacklist: names('actor-blacklist'),
    contract_whitelist: names('contract-whitelist'),
    contract_blacklist: names('contract-blacklist'),
    action_blacklist: new Set(
      values.list('action-blacklist').map((text) => parsed('action-blacklist', text, actionEntry)),
    ),
    key_blacklist: new Set(
      values.list('key-blacklist').map((text) => parsed('key-blacklist', text, key)),
    ),
    resource_greylist: names('greylist-account'),
    greylist_limit: values.integer('greylist-limit'),
    subjective_cpu_leeway_us: values.isGiven('subjective-cpu-leeway-us')
      ? values.integer('subjective-cpu-leeway-us')
      : undefined,
    maximum_variable_signature_length: values.integer('maximum-variable-signature-length'),
    // Traces always carry what contracts print; the option decides about printing it here.
    contracts_console: true,
    allow_ram_billing_in_notify: values.switch('disable-ram-billing-notify-checks'),
  }
}

function genesisOf(values: OptionValues, now_us: number): EngineOptions['genesis'] {
  const file = values.text('genesis-json')
  const timestamp = values.text('genesis-timestamp')
  if (file === undefined && timestamp === undefined) return undefined
  let genesis = defaultGenesis()
  if (file !== undefined) {
    const text = readFileSync(existing(file, 'genesis-json'), 'utf8')
    genesis = parsed('genesis-json', text, (json) => genesisFromJson(JSON.parse(json)), file)
  }
  if (timestamp !== undefined) {
    const next_slot_us = Math.ceil(now_us / HALF_SECOND_US) * HALF_SECOND_US
    genesis.initial_timestamp =
      timestamp === 'now' ? next_slot_us : parsed('genesis-timestamp', timestamp, parseTimePoint)
  }
  return genesis
}

function existing(file: string, option: string): string {
  if (!existsSync(file)) throw new OptionError(`${option}: there is no file ${file}`)
  return file
}

/** Parses a value; what is wrong with it is told with the option's name.
 *  @param shown how the value may be shown */
function parsed<T>(option: string, text: string, parse: (text: string) => T, shown = text): T {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof ChainError) && !(error instanceof SyntaxError)) throw error
    throw new OptionError(`${option} ${shown}: ${error.message}`)
  }
}
