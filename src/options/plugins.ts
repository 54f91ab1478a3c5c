import { PLUGINS } from '../engine/services/plugins.ts'
import { REFUSED_PLUGINS } from './refused.ts'

/** The names in one value of the option `plugin`, which may have several. spring: appbase (plugin) */
function namesIn(value: string): string[] {
  return value.split(/[ \t,]+/).filter((name) => name !== '')
}

/** `eosio::chain_api_plugin` without what all plugins have; undefined when it is not such a name. */
function shortName(name: string): string | undefined {
  return /^(?:eosio::)?(\w+)_plugin$/.exec(name)?.[1]
}

/** The errors in a value of the option `plugin`, one text for each name in it. */
export function pluginErrors(value: string): string[] {
  const names = namesIn(value)
  if (names.length === 0) return ['plugin needs a name, as eosio::chain_api_plugin']
  return names.flatMap((name) => {
    const short = shortName(name)
    if (short !== undefined && PLUGINS.has(short)) return []
    const reason = REFUSED_PLUGINS.get(short ?? '') ?? ''
    return [`plugin ${name} is refused: ${reason || 'the reference has no plugin of this name'}`]
  })
}

/** The plugins that valid values of the option name, and those that they need. */
export function pluginsNamed(values: readonly string[]): Set<string> {
  const named = new Set<string>()
  const add = (short: string): void => {
    named.add(short)
    for (const other of PLUGINS.get(short)!.needs) add(other)
  }
  for (const name of values.flatMap(namesIn)) add(shortName(name)!)
  return named
}
