/**
 * The genesis of a chain: its hash is the chain id.
 * spring: libraries/chain/{genesis_state.cpp, include/eosio/chain/genesis_state.hpp}
 */
import { check } from '../errors.ts'
import type { ChainConfigV0 } from './config.ts'
import {
  CHAIN_CONFIG_FIELDS,
  CHAIN_CONFIG_V0_FIELDS,
  DEFAULT_CHAIN_CONFIG_V0,
  packChainConfigV0,
  unpackChainConfigV0,
} from './config.ts'
import { publicKeyFromString, publicKeyToString, readPublicKey, writePublicKey } from './key.ts'
import type { Reader } from './reader.ts'
import type { TimePointUs } from './time.ts'
import { parseTimePoint, timePointToString } from './time.ts'
import type { Writer } from './writer.ts'

/** The genesis of a chain. spring: libraries/chain/include/eosio/chain/genesis_state.hpp */
export interface GenesisState {
  initial_timestamp: TimePointUs
  initial_key: Uint8Array
  initial_configuration: ChainConfigV0
}

/** The development public key; its private key is well known. */
export const DEVELOPMENT_KEY = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'
/** Its private key, which everyone knows. */
export const DEVELOPMENT_PRIVATE_KEY = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'
/**
 * The well-known BLS key for votes. spring: the finalizer key of the bios node in
 * tests/p2p_no_blocks_test_shape.json
 */
export const DEVELOPMENT_FINALIZER =
  'PUB_BLS_sGOyYNtpmmjfsNbQaiGJrPxeSg9sdx0nRtfhI_KnWoACXLL53FIf1HjpcN8wX0cYQyOE60NLSI9iPY8mIlT4GkiFMT3ez7j2IbBBzR0D1MthC0B_fYlgYWwjcbqCOowSaH48KA'

/** The reference's default genesis. */
export function defaultGenesis(): GenesisState {
  return {
    initial_timestamp: parseTimePoint('2018-06-01T12:00:00'),
    initial_key: publicKeyFromString(DEVELOPMENT_KEY),
    initial_configuration: { ...DEFAULT_CHAIN_CONFIG_V0 },
  }
}

/**
 * Writes a genesis state in the wire format. spring:
 * libraries/chain/include/eosio/chain/genesis_state.hpp
 */
export function packGenesis(w: Writer, genesis: GenesisState): void {
  w.u64(BigInt(genesis.initial_timestamp))
  writePublicKey(w, genesis.initial_key)
  packChainConfigV0(w, genesis.initial_configuration)
}

/**
 * Reads a genesis state in the wire format.
 * @throws ChainError overflow_exception, or out_of_range_exception if bytes are missing
 */
export function unpackGenesis(r: Reader): GenesisState {
  const time = r.i64()
  check(
    -(2n ** 53n) < time && time < 2n ** 53n,
    'overflow_exception',
    'The initial timestamp is out of range',
  )
  return {
    initial_timestamp: Number(time),
    initial_key: readPublicKey(r),
    initial_configuration: unpackChainConfigV0(r),
  }
}

function objectOf(value: unknown, what: string): Record<string, unknown> {
  check(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    'bad_cast_exception',
    `${what} must be an object`,
  )
  return value as Record<string, unknown>
}

const FIELD_BITS = { u16: 16n, u32: 32n, u64: 64n } as const

function configField(value: unknown, name: string, type: keyof typeof FIELD_BITS): number | bigint {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value)
  const isText = typeof value === 'string' && /^[0-9]{1,20}$/.test(value)
  check(isNumber || isText, 'bad_cast_exception', () => `${name} must be an integer`)
  const exact = BigInt(value as number | string)
  check(
    exact >= 0n && exact < 1n << FIELD_BITS[type],
    'overflow_exception',
    () => `${name} is out of range`,
  )
  return type === 'u64' ? exact : Number(exact)
}

/**
 * Reads a genesis.json, already parsed. Fields that are missing keep the reference's defaults.
 * @throws ChainError bad_cast_exception, or as {@link parseTimePoint} and {@link
 *   publicKeyFromString}
 */
export function genesisFromJson(json: unknown): GenesisState {
  const object = objectOf(json, 'genesis')
  const genesis = defaultGenesis()
  const { initial_timestamp, initial_key, initial_configuration } = object
  if (initial_timestamp !== undefined) {
    check(
      typeof initial_timestamp === 'string',
      'bad_cast_exception',
      'initial_timestamp must be a string',
    )
    genesis.initial_timestamp = parseTimePoint(initial_timestamp)
  }
  if (initial_key !== undefined) {
    check(typeof initial_key === 'string', 'bad_cast_exception', 'initial_key must be a string')
    genesis.initial_key = publicKeyFromString(initial_key)
  }
  if (initial_configuration !== undefined) {
    const given = objectOf(initial_configuration, 'initial_configuration')
    const config = genesis.initial_configuration as unknown as Record<string, number | bigint>
    for (const [name, type] of CHAIN_CONFIG_FIELDS.slice(0, CHAIN_CONFIG_V0_FIELDS)) {
      if (given[name] !== undefined) config[name] = configField(given[name], name, type)
    }
  }
  return genesis
}

/** The JSON form of a genesis. */
export function genesisToJson(genesis: GenesisState): Record<string, unknown> {
  const config: Record<string, unknown> = {}
  for (const [name] of CHAIN_CONFIG_FIELDS.slice(0, CHAIN_CONFIG_V0_FIELDS)) {
    const value = genesis.initial_configuration[name as keyof ChainConfigV0]
    config[name] = typeof value === 'bigint' && value <= 0xffffffffn ? Number(value) : value
    if (typeof config[name] === 'bigint') config[name] = value.toString()
  }
  return {
    initial_timestamp: timePointToString(genesis.initial_timestamp),
    initial_key: publicKeyToString(genesis.initial_key),
    initial_configuration: config,
  }
}
