import { PLUGINS, categoriesOf } from '../engine/index.ts'
import { pluginsNamed } from '../options/plugins.ts'
import type { OptionValues } from '../options/parse.ts'
import { CATEGORIES, type Category } from '../server/index.ts'

/**
 * What is served at all: everything where no plugin is named, else what the named ones serve in the
 * reference, which is nothing, and no address, without the plugin `http`.
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
