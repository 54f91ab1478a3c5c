import { DEVELOPMENT_FINALIZER } from '../engine/index.ts'

/**
 * The key pair that every development chain of the protocol uses. It is public and protects
 * nothing. spring: libraries/chain/include/eosio/chain/config.hpp, testing/tester.hpp
 */
export {
  DEVELOPMENT_KEY as DEVELOPMENT_PUBLIC_KEY,
  DEVELOPMENT_PRIVATE_KEY,
} from '../engine/index.ts'

/** The well-known BLS key for votes. */
export const DEVELOPMENT_BLS_PUBLIC_KEY = DEVELOPMENT_FINALIZER

/** The well-known BLS private key of development chains. */
export const DEVELOPMENT_BLS_PRIVATE_KEY =
  'PVT_BLS_QgHHJ5vprZcjG7P0xWoIdX4yKPQXoG4k3e28TpLIQicB7GL_'

/** The producer of a development chain. */
export const DEVELOPMENT_PRODUCER = 'eosio'
