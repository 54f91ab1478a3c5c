import { UINT32_MAX, type OptionRow } from '../engine/options/row.ts'
import { publicKeyFromString } from '../engine/protocol/key.ts'
import { nameFromString } from '../engine/protocol/name.ts'
import { parseTimePoint, type TimePointUs } from '../engine/protocol/time.ts'
import { actionEntry } from '../engine/services/production/lists.ts'

/** How received blocks are validated. */
export const VALIDATION_MODES = ['full', 'light'] as const
/** The states that reads may use. */
export const READ_MODES = ['head', 'speculative', 'irreversible'] as const
/** What a start does when announced blocks are missing. */
export const LOST_BLOCKS = ['refuse', 'keep-safety', 'new-safety'] as const

/** The options of the chain. */
export const CHAIN_OPTIONS: readonly OptionRow[] = [
  {
    name: 'genesis-json',
    kind: 'text',
    isPath: true,
    group: 'Chain',
    value: 'FILE',
    commandLineOnly: true,
    help: 'Genesis file of a new chain, in the format of nodeos. Default: the genesis of the development chain. On any other chain, nothing is produced without producer-name.',
  },
  {
    name: 'genesis-timestamp',
    kind: 'text',
    parse: genesisTimestamp,
    group: 'Chain',
    value: 'TIME',
    commandLineOnly: true,
    help: 'Replaces the initial timestamp of the genesis, rounded up to half a second; "now" is the time of the start.',
  },
  {
    name: 'replay',
    kind: 'text',
    group: 'Chain',
    value: 'FILE',
    commandLineOnly: true,
    withoutValue: 'replay-blockchain',
    help: 'Applies the blocks of a block log in the format of nodeos before the node does anything else. Without FILE, it is short for replay-blockchain, as in nodeos.',
  },
  {
    name: 'snapshot',
    kind: 'text',
    isPath: true,
    group: 'Chain',
    value: 'FILE',
    commandLineOnly: true,
    help: 'Starts a new chain from a snapshot in the format of nodeos; the data folder must not have a state.',
  },
  {
    name: 'fork',
    kind: 'text',
    group: 'Chain',
    value: 'FILE',
    commandLineOnly: true,
    help: 'Starts a fork of a public chain from a snapshot of it, or continues the fork in the data folder. The development keys, or those given by signature-provider, produce and finalize its blocks, for eosio or the given producer-name. Any account may act without its keys. A fork has no peers.',
  },
  {
    name: 'terminate-at-block',
    kind: 'integer',
    group: 'Chain',
    default: '0',
    min: 0,
    max: UINT32_MAX,
    value: 'NUM',
    help: 'Stops the node after it reaches this block number; 0 disables this.',
  },
  {
    name: 'sync-blocks',
    kind: 'bool',
    group: 'Chain',
    default: 'true',
    help: 'Syncs each block to the disk before it is announced. When off, a power loss (but not a kill) may lose the blocks of the last seconds. A node with finalizers always syncs.',
  },
  {
    name: 'lost-blocks',
    kind: 'text',
    group: 'Chain',
    default: 'refuse',
    choices: LOST_BLOCKS,
    value: 'WHAT',
    commandLineOnly: true,
    help: 'What a start does when announced blocks are missing or their file is damaged. refuse: the start fails. keep-safety: the chain continues from the last good block, and finalizers keep their safety information; they vote again when this node receives the missing blocks. new-safety: finalizers also discard their safety information. Use this only if no other node has the missing blocks, because finalizers may then vote against their earlier votes. Damaged files are kept under another name.',
  },
  {
    name: 'chain-threads',
    kind: 'integer',
    group: 'Chain',
    default: '1',
    min: 1,
    max: 64,
    value: 'NUM',
    help: 'Number of threads that recover public keys from signatures.',
  },
  {
    name: 'vote-threads',
    kind: 'integer',
    group: 'Chain',
    default: '1',
    min: 0,
    max: 64,
    value: 'NUM',
    help: 'Number of threads that check the votes of finalizers. 0, on a node without producers: votes of other nodes are neither checked nor passed on.',
  },
  {
    name: 'abi-serializer-max-time-ms',
    kind: 'integer',
    group: 'Chain',
    default: '15',
    min: 0,
    max: UINT32_MAX,
    value: 'MS',
    help: 'Limit for all ABI conversions of one request. 64,000 small values count as one millisecond; values that take longer, such as keys, count more. The limit counts work, not time, so it does not depend on the load of the machine.',
  },
  {
    name: 'contracts-console',
    kind: 'switch',
    group: 'Chain',
    help: 'Puts the console output of contracts into traces and into the log. On a development chain, traces have it by default.',
  },
  {
    name: 'api-accept-transactions',
    kind: 'bool',
    group: 'Chain',
    default: 'true',
    help: 'Accepts transactions through HTTP.',
  },
  {
    name: 'disable-ram-billing-notify-checks',
    kind: 'switch',
    group: 'Chain',
    help: 'Allows a notified contract to bill RAM to accounts other than itself (a subjective check).',
  },
  {
    name: 'maximum-variable-signature-length',
    kind: 'integer',
    group: 'Chain',
    default: '16384',
    min: 0,
    max: UINT32_MAX,
    value: 'BYTES',
    help: 'Maximum size of the variable part of a WebAuthn signature.',
  },
  {
    name: 'actor-whitelist',
    kind: 'list',
    parse: nameFromString,
    group: 'Chain',
    value: 'NAME',
    help: 'Accounts that may authorize actions; if empty, all accounts may.',
  },
  {
    name: 'actor-blacklist',
    kind: 'list',
    parse: nameFromString,
    group: 'Chain',
    value: 'NAME',
    help: 'Accounts that may not authorize actions.',
  },
  {
    name: 'contract-whitelist',
    kind: 'list',
    parse: nameFromString,
    group: 'Chain',
    value: 'NAME',
    help: 'Contracts that may be executed; if empty, all contracts may.',
  },
  {
    name: 'contract-blacklist',
    kind: 'list',
    parse: nameFromString,
    group: 'Chain',
    value: 'NAME',
    help: 'Contracts that may not be executed.',
  },
  {
    name: 'action-blacklist',
    kind: 'list',
    parse: actionEntry,
    group: 'Chain',
    value: 'CODE::ACTION',
    help: 'Actions that may not be executed.',
  },
  {
    name: 'key-blacklist',
    kind: 'list',
    parse: publicKeyFromString,
    group: 'Chain',
    value: 'KEY',
    help: 'Public keys that may not be added to an authority.',
  },
  {
    name: 'signature-cpu-billable-pct',
    kind: 'integer',
    group: 'Chain',
    default: '50',
    min: 0,
    max: 100,
    value: 'PCT',
    help: 'Percentage of the time for recovering keys that is billed.',
  },
  {
    name: 'sender-bypass-whiteblacklist',
    kind: 'list',
    parse: nameFromString,
    group: 'Chain',
    value: 'NAME',
    help: 'Accounts whose deferred transactions are not checked against whitelists and blacklists.',
  },
  {
    name: 'read-mode',
    kind: 'text',
    group: 'Chain',
    default: 'head',
    choices: READ_MODES,
    value: 'MODE',
    help: 'The state that reads use. head: the state of the head block, and of the block in production. speculative: on a node that does not produce, also transactions that were executed speculatively. irreversible: the state of the last irreversible block, because blocks are executed when they are irreversible; such a node neither produces nor votes.',
  },
  {
    name: 'validation-mode',
    kind: 'text',
    group: 'Chain',
    default: 'full',
    choices: VALIDATION_MODES,
    value: 'MODE',
    help: 'Validation of received blocks. full: all checks. light: trusts the producer for signatures and authorities of transactions.',
  },
  {
    name: 'trusted-producer',
    kind: 'list',
    parse: nameFromString,
    group: 'Chain',
    value: 'NAME',
    help: 'Producers whose blocks are validated in light mode.',
  },
  {
    name: 'force-all-checks',
    kind: 'switch',
    group: 'Chain',
    help: 'Checks signatures and authorities also when blocks of the log are replayed.',
  },
]

/**
 * Reads a time in microseconds since 1970, or `now`.
 * @throws ChainError it is neither
 */
export function genesisTimestamp(text: string): TimePointUs | 'now' {
  return text.toLowerCase() === 'now' ? 'now' : parseTimePoint(text)
}
