/** Constants of the protocol. spring: libraries/chain/include/eosio/chain/config.hpp */
import { N } from './name.ts'

/** The account of the system contract. */
export const SYSTEM_ACCOUNT = N('eosio')
/** The account that has no keys: its authority cannot be satisfied. */
export const NULL_ACCOUNT = N('eosio.null')
/** The account whose permissions the active producers satisfy. */
export const PRODUCERS_ACCOUNT = N('eosio.prods')

/** The permission for the usual actions of an account. */
export const ACTIVE_PERMISSION = N('active')
/** The highest permission of an account. */
export const OWNER_PERMISSION = N('owner')
/** The permission that a link names so that any permission of the account is enough. */
export const ANY_PERMISSION = N('eosio.any')
/** The permission that stands for the code of a contract. */
export const CODE_PERMISSION = N('eosio.code')
/** Satisfied by more than half of the active producers. */
export const MAJORITY_PRODUCERS_PERMISSION = N('prod.major')
/** Satisfied by more than a third of the active producers. */
export const MINORITY_PRODUCERS_PERMISSION = N('prod.minor')

/** Microseconds in a second. */
export const SECOND_US = 1_000_000
/** A block every half second. */
export const BLOCK_INTERVAL_MS = 500
/** The same in microseconds. */
export const BLOCK_INTERVAL_US = BLOCK_INTERVAL_MS * 1000
/** Slot 0: 2000-01-01T00:00:00. */
export const BLOCK_TIMESTAMP_EPOCH_MS = 946684800000
/** Blocks in a row by one producer. */
export const PRODUCER_REPETITIONS = 12
/** The low bits of a block number, which select one of the recent blocks that a transaction may refer to. */
export const TAPOS_MASK = 0xffff
/** Most producers before Savanna. */
export const MAX_PRODUCERS = 125
/** Most producers (proposers) under Savanna. */
export const MAX_PROPOSERS = 64 * 1024
/** Most finalizers of a policy. */
export const MAX_FINALIZERS = 64 * 1024

/** Percentages have two decimals: 10000 is 100 %. */
export const PERCENT_100 = 10000
/** One percent. */
export const PERCENT_1 = 100

/** Key and signature types that a chain accepts from its start: K1 and R1. */
export const GENESIS_NUM_SUPPORTED_KEY_TYPES = 2

/** `schedule_version` of the headers of proper Savanna blocks. */
export const PROPER_SAVANNA_SCHEDULE_VERSION = 2 ** 31

/** Most bytes in one length-prefixed byte string of the binary form. Part of consensus.
 *  spring: libraries/libfc/include/fc/utility.hpp */
export const MAX_BYTES = 20 * 1024 * 1024

/** Most elements in one length-prefixed list of the binary form. Part of consensus. */
export const MAX_ARRAY_ELEMENTS = 1024 * 1024
