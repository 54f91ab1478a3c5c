/**
 * The key pair that every development chain of the protocol uses. Everyone knows it: it protects
 * nothing. spring: libraries/chain/include/eosio/chain/config.hpp, testing/tester.hpp
 */
export const DEVELOPMENT_PUBLIC_KEY = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'
export const DEVELOPMENT_PRIVATE_KEY = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'
/** Who produces on a development chain. */
export const DEVELOPMENT_PRODUCER = 'eosio'
