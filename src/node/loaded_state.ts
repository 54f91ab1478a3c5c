import { resolve } from 'node:path'
import { LoadingState } from '../engine/index.ts'
import type { OptionValues } from '../options/parse.ts'

/** Options that name another source of the chain. */
const SOURCES = [
  ...['snapshot', 'fork', 'replay', 'replay-blockchain'],
  ...['genesis-json', 'genesis-timestamp'],
]

/** The state that a node of these options may have to load in place of its chain. */
export function loadingState(values: OptionValues): LoadingState {
  return new LoadingState(resolve(values.text('data-dir')!))
}

/**
 * The options with which a node loads the state that it was decided to load: those of a start that deletes the chain
 * and begins with the state.
 */
export function loadingValues(values: OptionValues): OptionValues {
  const deleting = { 'delete-all-blocks': 'true', 'delete-state-history': 'true' }
  return values.changed({ ...deleting, 'load-state': loadingState(values).path }, SOURCES)
}

/** The options of a start: it loads a state that it was decided to load, unless it is told to delete the chain. */
export function startValues(values: OptionValues): OptionValues {
  const is_loaded = loadingState(values).isDecided && !values.switch('delete-all-blocks')
  return is_loaded ? loadingValues(values) : values
}
