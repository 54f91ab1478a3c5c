/**
 * The plugins of the reference: those that this node has, with the plugins that each needs, and
 * those that are refused, with the reason that the user sees.
 * spring: plugins/*_plugin.hpp (APPBASE_PLUGIN_REQUIRES)
 */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  http: [],
  chain: [],
  chain_api: ['chain', 'http'],
  signature_provider: [],
  producer: ['chain', 'signature_provider'],
  producer_api: ['producer', 'http'],
  db_size_api: ['chain', 'http'],
  prometheus: ['chain', 'producer', 'http'],
}

/** Plugins that this node has, without `_plugin`. */
export const PLUGINS: readonly string[] = Object.keys(NEEDS)

const NO_NETWORK = 'this node has no peer-to-peer network yet'
const NO_WALLET = 'it belongs to the wallet keosd'
const REFUSED: Readonly<Record<string, string>> = {
  net: NO_NETWORK,
  net_api: NO_NETWORK,
  state_history: 'this node has no state history',
  trace_api: 'this node has no trace API',
  history: 'this node has no history API',
  history_api: 'this node has no history API',
  resource_monitor: 'watch the disk from outside; a node that cannot write ends',
  http_client: 'keys are given in signature-provider, so no wallet is asked',
  test_control: 'this node has no test control',
  test_control_api: 'this node has no test control',
  wallet: NO_WALLET,
  wallet_api: NO_WALLET,
}

/** The names in one value of the option `plugin`, which may have several. spring: appbase (plugin) */
function namesIn(value: string): string[] {
  return value.split(/[ \t,]+/).filter((name) => name !== '')
}

/** `eosio::chain_api_plugin` without what all plugins have; undefined when it is no such name. */
function shortName(name: string): string | undefined {
  return /^(?:eosio::)?(\w+)_plugin$/.exec(name)?.[1]
}

/** What is wrong with a value of the option `plugin`, one text for each name in it. */
export function pluginErrors(value: string): string[] {
  const names = namesIn(value)
  if (names.length === 0) return ['plugin needs a name, as eosio::chain_api_plugin']
  return names.flatMap((name) => {
    const short = shortName(name)
    if (short !== undefined && Object.hasOwn(NEEDS, short)) return []
    const reason = short !== undefined && Object.hasOwn(REFUSED, short) ? REFUSED[short]! : ''
    return [`plugin ${name} is refused: ${reason || 'the reference has no plugin of this name'}`]
  })
}

/** The plugins that valid values of the option name, and those that they need. */
export function pluginsNamed(values: readonly string[]): Set<string> {
  const named = new Set<string>()
  const add = (short: string): void => {
    named.add(short)
    for (const other of NEEDS[short]!) add(other)
  }
  for (const name of values.flatMap(namesIn)) add(shortName(name)!)
  return named
}
