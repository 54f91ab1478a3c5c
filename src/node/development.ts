/**
 * The key pair that every development chain of the protocol uses. It is public and protects
 * nothing. spring: libraries/chain/include/eosio/chain/config.hpp, testing/tester.hpp
 */
export const DEVELOPMENT_PUBLIC_KEY = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'

/** The well-known private key of development chains. */
export const DEVELOPMENT_PRIVATE_KEY = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'
/**
 * The well-known BLS key for votes. spring: the finalizer key of the bios node in
 * tests/p2p_no_blocks_test_shape.json
 */
export const DEVELOPMENT_BLS_PUBLIC_KEY =
  'PUB_BLS_sGOyYNtpmmjfsNbQaiGJrPxeSg9sdx0nRtfhI_KnWoACXLL53FIf1HjpcN8wX0cYQyOE60NLSI9iPY8mIlT4GkiFMT3ez7j2IbBBzR0D1MthC0B_fYlgYWwjcbqCOowSaH48KA'

/** The well-known BLS private key of development chains. */
export const DEVELOPMENT_BLS_PRIVATE_KEY =
  'PVT_BLS_QgHHJ5vprZcjG7P0xWoIdX4yKPQXoG4k3e28TpLIQicB7GL_'

/** The producer of a development chain. */
export const DEVELOPMENT_PRODUCER = 'eosio'
