import { SERVICES } from '../engine/services/list.ts'
import { CHAIN_OPTIONS } from './chain_options.ts'
import { FOLDER_OPTIONS } from './folder_options.ts'
import { HTTP_OPTIONS } from './http_options.ts'
import { NODE_OPTIONS } from './node_options.ts'
import { PRODUCER_OPTIONS } from './producer_options.ts'
import type { OptionRow } from '../engine/options/row.ts'
import { SNAPSHOT_OPTIONS } from './snapshot_options.ts'

/**
 * Every option of the node, on the command line and in the config file.
 *
 * Names and defaults are the reference's where it has the option (spring: plugins/*_plugin.cpp,
 * set_program_options). An option of the reference that is not built here is listed in `REFUSED`:
 * giving it is an error, because an option that is accepted and ignored would be a lie.
 */
export const OPTIONS: readonly OptionRow[] = [
  ...NODE_OPTIONS,
  ...FOLDER_OPTIONS,
  ...CHAIN_OPTIONS,
  ...SERVICES.flatMap(({ options }) => options),
  ...PRODUCER_OPTIONS,
  ...SNAPSHOT_OPTIONS,
  ...HTTP_OPTIONS,
]

/** Options of the reference that this node refuses, with the reason that the user sees. */
export const REFUSED: ReadonlyMap<string, string> = new Map([
  ...refused('this node has no peer-to-peer network yet', [
    'p2p-listen-endpoint',
    'p2p-server-address',
    'p2p-peer-address',
    'p2p-max-nodes-per-host',
    'p2p-accept-transactions',
    'p2p-auto-bp-peer',
    'p2p-bp-gossip-endpoint',
    'p2p-dedup-cache-expire-time-sec',
    'p2p-disable-block-nack',
    'p2p-keepalive-interval-ms',
    'agent-name',
    'allowed-connection',
    'peer-key',
    'peer-private-key',
    'peer-log-format',
    'max-clients',
    'connection-cleanup-period',
    'max-cleanup-time-msec',
    'net-threads',
    'sync-fetch-span',
    'sync-peer-limit',
    'use-socket-read-watermark',
  ]),
  ...refused('the state is in the memory of this process, and RocksDB keeps it', [
    'chain-state-db-size-mb',
    'chain-state-db-guard-size-mb',
    'database-map-mode',
  ]),
  ...refused('contracts run in V8', [
    'wasm-runtime',
    'eos-vm-oc-enable',
    'eos-vm-oc-cache-size-mb',
    'eos-vm-oc-compile-threads',
    'eos-vm-oc-whitelist',
    'profile-account',
  ]),
  ...refused('the chain and its API share one thread; votes and signatures have their own', [
    'http-threads',
    'read-only-threads',
    'read-only-write-window-time-us',
    'vote-threads',
  ]),
  ...refused('the block log is one file that holds every block', [
    'blocks-log-stride',
    'max-retained-block-files',
    'blocks-retained-dir',
    'blocks-archive-dir',
    'block-log-retain-blocks',
  ]),
  ...refused(
    'a torn end of the block log is cut off whenever it is opened; see replay-blockchain',
    ['hard-replay-blockchain', 'truncate-at-block'],
  ),
  ...refused('the reference reads it and does nothing with it', ['checkpoint']),
  ...refused('replays take no shortcuts that could be turned off', ['disable-replay-opts']),
  ...refused('see log-level and log-format', ['logconf']),
  ...refused('this node does not write it', [
    'deep-mind',
    'print-build-info',
    'extract-build-info',
  ]),
  ...refused('keys are given in signature-provider', ['keosd-provider-timeout']),
  ...refused('watch the disk from outside; a node that cannot write ends', [
    'resource-monitor-interval-seconds',
    'resource-monitor-space-threshold',
    'resource-monitor-space-absolute-gb',
    'resource-monitor-not-shutdown-on-threshold-exceeded',
    'resource-monitor-warning-interval',
  ]),
  ...refused('this node has no state history', [
    'chain-state-history',
    'delete-state-history',
    'finality-data-history',
    'max-retained-history-files',
    'state-history-archive-dir',
    'state-history-dir',
    'state-history-endpoint',
    'state-history-log-retain-blocks',
    'state-history-retained-dir',
    'state-history-stride',
    'state-history-unix-socket-path',
    'trace-history',
    'trace-history-debug-mode',
  ]),
  ...refused('this node has no trace API', [
    'trace-dir',
    'trace-minimum-irreversible-history-blocks',
    'trace-minimum-uncompressed-irreversible-history-blocks',
    'trace-no-abis',
    'trace-rpc-abi',
    'trace-slice-stride',
  ]),
])

function refused(reason: string, names: readonly string[]): [string, string][] {
  return names.map((name) => [name, reason])
}
