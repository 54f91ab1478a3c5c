import { SERVICES } from './list.ts'
import type { CategoryDefinition, PluginDefinition } from './service.ts'

/** The plugins that the node has without any service. */
const CORE: readonly PluginDefinition[] = [
  { name: 'http', needs: [] },
  { name: 'chain', needs: [] },
  {
    name: 'chain_api',
    needs: ['chain', 'http'],
    categories: [
      { name: 'chain_info', everywhere: true },
      { name: 'chain_ro' },
      { name: 'chain_rw' },
    ],
  },
  { name: 'signature_provider', needs: [] },
]

/** Served with every plugin. */
const NODE: CategoryDefinition = { name: 'node', everywhere: true }

/** The plugins of the reference whose work this node does, by name without `_plugin`; what several services
 *  say of one plugin is joined. spring: plugins/*_plugin.hpp (APPBASE_PLUGIN_REQUIRES) */
export const PLUGINS: ReadonlyMap<string, Required<PluginDefinition>> = joined([
  ...CORE,
  ...SERVICES.flatMap(({ plugins }) => plugins),
])

/** The categories of the API, in the order in which they are listed to users. */
export const API_CATEGORIES: readonly CategoryDefinition[] = [
  NODE,
  ...[...PLUGINS.values()].flatMap(({ categories }) => categories),
]

/** The names of what plugins serve, with what every plugin serves; nothing without `http`. */
export function categoriesOf(plugins: ReadonlySet<string>): string[] {
  if (!plugins.has('http')) return []
  const served = [...plugins].flatMap((name) => PLUGINS.get(name)?.categories ?? [])
  return [NODE, ...served].map(({ name }) => name)
}

function joined(plugins: readonly PluginDefinition[]): Map<string, Required<PluginDefinition>> {
  const by_name = new Map<string, Required<PluginDefinition>>()
  for (const { name, needs, categories = [] } of plugins) {
    const known = by_name.get(name)
    by_name.set(name, {
      name,
      needs: [...new Set([...(known?.needs ?? []), ...needs])],
      categories: [...(known?.categories ?? []), ...categories],
    })
  }
  return by_name
}
