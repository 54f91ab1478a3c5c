import { resolve } from 'node:path'
import { LoadingState, type Log } from '../engine/index.ts'
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

/** Runs a start. If it fails while a state is to be loaded, the log says what to do if that is the reason. */
export async function withAdvice<T>(
  values: OptionValues,
  log: Log,
  start: () => Promise<T>,
): Promise<T> {
  const loading = loadingState(values)
  try {
    return await start()
  } catch (error) {
    if (loading.isDecided) {
      log(
        'error',
        `load_state put ${loading.path} in place of the chain. If it cannot be loaded, start with --delete-all-blocks, ` +
          'which makes a new chain',
      )
    }
    throw error
  }
}
