import { pluginsNamed } from '../options/plugins.ts'
import type { OptionValues } from '../options/parse.ts'
import { CATEGORIES, type Category } from '../server/index.ts'

/** What plugins serve by HTTP; the others serve nothing.
 *  spring: plugins/{chain_api,producer_api,db_size_api,prometheus}_plugin (plugin_startup) */
const SERVES: Readonly<Record<string, readonly Category[]>> = {
  chain_api: ['chain_info', 'chain_ro', 'chain_rw'],
  producer_api: ['producer_ro', 'producer_rw', 'snapshot'],
  db_size_api: ['db_size'],
  prometheus: ['prometheus'],
}

/**
 * What is served at all: everything where no plugin is named, else what the named ones serve in the
 * reference, which is nothing, and no address, without the plugin `http`.
 */
export function servedCategories(values: OptionValues): ReadonlySet<Category> {
  const names = values.list('plugin')
  if (names.length === 0) return new Set(CATEGORIES)
  const plugins = pluginsNamed(names)
  if (!plugins.has('http')) return new Set()
  return new Set<Category>(['node', ...[...plugins].flatMap((name) => SERVES[name] ?? [])])
}

/** The plugin that serves a category, as the reference names it. */
export function pluginOf(category: Category): string {
  const [name] = Object.entries(SERVES).find(([, served]) => served.includes(category))!
  return `eosio::${name}_plugin`
}
