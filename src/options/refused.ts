/**
 * Plugins and options of the reference that this node does not have, with the reason that users
 * see.
 */
interface Refused {
  readonly reason: string
  /** Names without `_plugin`. */
  readonly plugins?: readonly string[]
  readonly options?: readonly string[]
}

const NOT_BUILT: readonly Refused[] = [
  {
    reason: 'peers share one thread with the chain, and all are looked after at once',
    options: ['net-threads', 'max-cleanup-time-msec', 'use-socket-read-watermark'],
  },
  {
    reason: 'log lines about a peer have its number and its name; see log-format',
    options: ['peer-log-format'],
  },
  {
    reason: 'the state is in the memory of this process, and RocksDB keeps it',
    options: ['chain-state-db-size-mb', 'chain-state-db-guard-size-mb', 'database-map-mode'],
  },
  {
    reason: 'contracts run in V8',
    options: [
      'wasm-runtime',
      'eos-vm-oc-enable',
      'eos-vm-oc-cache-size-mb',
      'eos-vm-oc-compile-threads',
      'eos-vm-oc-whitelist',
      'profile-account',
    ],
  },
  {
    reason:
      'transactions have one thread; see chain-threads and vote-threads for signatures and votes',
    options: ['read-only-threads', 'read-only-write-window-time-us'],
  },
  {
    reason: 'a torn end of the block log is cut off whenever it is opened; see replay-blockchain',
    options: ['hard-replay-blockchain', 'truncate-at-block'],
  },
  {
    reason: 'the reference reads it and does nothing with it',
    options: ['checkpoint'],
  },
  {
    reason: 'replays take no shortcuts that could be turned off',
    options: ['disable-replay-opts'],
  },
  {
    reason: 'see log-level and log-format',
    options: ['logconf'],
  },
  {
    reason: 'this node does not write it',
    options: ['deep-mind', 'print-build-info', 'extract-build-info'],
  },
  {
    reason: 'keys are given in signature-provider',
    options: ['keosd-provider-timeout'],
  },
  {
    reason: 'watch the disk from outside; a node that cannot write ends',
    plugins: ['resource_monitor'],
    options: [
      'resource-monitor-interval-seconds',
      'resource-monitor-space-threshold',
      'resource-monitor-space-absolute-gb',
      'resource-monitor-not-shutdown-on-threshold-exceeded',
      'resource-monitor-warning-interval',
    ],
  },
  {
    reason: 'this node has no history API',
    plugins: ['history', 'history_api'],
  },
  {
    reason: 'keys are given in signature-provider, so no wallet is asked',
    plugins: ['http_client'],
  },
  {
    reason: 'this node has no test control',
    plugins: ['test_control', 'test_control_api'],
  },
  {
    reason: 'it belongs to the wallet keosd',
    plugins: ['wallet', 'wallet_api'],
  },
]

/** Options of the reference that this node refuses, with the reason that the user sees. */
export const REFUSED: ReadonlyMap<string, string> = reasonsOf('options')

/** Plugins of the reference that this node refuses. */
export const REFUSED_PLUGINS: ReadonlyMap<string, string> = reasonsOf('plugins')

function reasonsOf(kind: 'plugins' | 'options'): Map<string, string> {
  return new Map(
    NOT_BUILT.flatMap((entry) =>
      (entry[kind] ?? []).map((name): [string, string] => [name, entry.reason]),
    ),
  )
}
