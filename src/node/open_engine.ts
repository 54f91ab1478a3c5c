import type { EngineDependencies } from '../engine/index.ts'
import type { OptionValues } from '../options/parse.ts'
import { nodeSettings, type NodeSettings } from './engine_settings.ts'
import { loadingState, loadingValues } from './loaded_state.ts'
import { prepareFolders } from './prepare_folders.ts'
import { RunningEngine } from './running_engine.ts'

/**
 * Opens the engine of a node, whose folders are ready.
 * @param given the options as they were given, and `settings` what follows from them for this start
 * @throws what `Engine.open` throws
 */
export function openEngine(
  given: OptionValues,
  settings: NodeSettings,
  version: string,
  deps: Omit<EngineDependencies, 'restart'>,
): Promise<RunningEngine> {
  const { clock, log } = deps
  const loading = loadingState(given)
  const prepareLoaded = async () => {
    const values = loadingValues(given)
    const loaded = nodeSettings(values, version, clock.now())
    await prepareFolders(loaded, values, log)
    return loaded.engine
  }
  return RunningEngine.open({
    engine: settings.engine,
    deps,
    prepareLoaded,
    loaded: () => loading.remove(),
  })
}
