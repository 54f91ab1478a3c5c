import { CHAIN_OPTIONS } from './chain_options.ts'
import { HTTP_OPTIONS } from './http_options.ts'
import { NODE_OPTIONS } from './node_options.ts'
import { PRODUCER_OPTIONS } from './producer_options.ts'
import type { OptionRow } from './row.ts'
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
  ...CHAIN_OPTIONS,
  ...PRODUCER_OPTIONS,
  ...SNAPSHOT_OPTIONS,
  ...HTTP_OPTIONS,
]

/** Options of the reference that this node refuses, with the reason that the user is told. */
export const REFUSED: ReadonlyMap<string, string> = new Map([
  ...refused('it is not supported yet', [
    'vote-threads',
    'production-pause-vote-timeout-ms',
    'read-only-threads',
    'read-only-write-window-time-us',
    'checkpoint',
    'blocks-dir',
    'state-dir',
    'blocks-log-stride',
    'max-retained-block-files',
    'blocks-retained-dir',
    'blocks-archive-dir',
    'block-log-retain-blocks',
    'replay-blockchain',
    'hard-replay-blockchain',
    'truncate-at-block',
    'print-genesis-json',
    'extract-genesis-json',
    'protocol-features-dir',
    'deep-mind',
    'profile-account',
    'config-dir',
    'logconf',
  ]),
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
  ...refused('it belongs to the machinery of the reference, which this node does not have', [
    'chain-state-db-size-mb',
    'chain-state-db-guard-size-mb',
    'database-map-mode',
    'wasm-runtime',
    'eos-vm-oc-enable',
    'eos-vm-oc-cache-size-mb',
    'eos-vm-oc-compile-threads',
    'eos-vm-oc-whitelist',
    'http-threads',
    'disable-replay-opts',
    'print-build-info',
    'extract-build-info',
    'keosd-provider-timeout',
    'resource-monitor-interval-seconds',
    'resource-monitor-space-threshold',
    'resource-monitor-space-absolute-gb',
    'resource-monitor-not-shutdown-on-threshold-exceeded',
    'resource-monitor-warning-interval',
  ]),
])

function refused(reason: string, names: readonly string[]): [string, string][] {
  return names.map((name) => [name, reason])
}
