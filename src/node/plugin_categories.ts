import { PLUGINS, categoriesOf } from '../engine/index.ts'
import { pluginsNamed } from '../options/plugins.ts'
import type { OptionValues } from '../options/parse.ts'
import { CATEGORIES, type Category } from '../server/index.ts'

/**
 * The categories that are served: all if no plugin is given, otherwise those of the given plugins.
 * Without the plugin `http`, there are no categories and no addresses.
 */
export function servedCategories(values: OptionValues): ReadonlySet<Category> {
  const names = values.list('plugin')
  return new Set(names.length === 0 ? CATEGORIES : categoriesOf(pluginsNamed(names)))
}

/** The plugin that serves a category, as the reference names it. */
export function pluginOf(category: Category): string {
  const plugin = [...PLUGINS.values()].find(({ categories }) =>
    categories.some(({ name }) => name === category),
  )
  return `eosio::${plugin!.name}_plugin`
}
