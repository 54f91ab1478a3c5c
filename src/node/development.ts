import { DEVELOPMENT_FINALIZER } from '../engine/index.ts'

/**
 * The key pair that every development chain of the protocol uses. It is public and protects
 * nothing. spring: libraries/chain/include/eosio/chain/config.hpp, testing/tester.hpp
 */
export const DEVELOPMENT_PUBLIC_KEY = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'

/** The well-known private key of development chains. */
export const DEVELOPMENT_PRIVATE_KEY = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'
/** The well-known BLS key for votes. */
export const DEVELOPMENT_BLS_PUBLIC_KEY = DEVELOPMENT_FINALIZER

/** The well-known BLS private key of development chains. */
export const DEVELOPMENT_BLS_PRIVATE_KEY =
  'PVT_BLS_QgHHJ5vprZcjG7P0xWoIdX4yKPQXoG4k3e28TpLIQicB7GL_'

/** The producer of a development chain. */
export const DEVELOPMENT_PRODUCER = 'eosio'
