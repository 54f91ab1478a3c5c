import { OptionError } from '../../options/option_error.ts'
import { parsed } from '../../options/option_text.ts'
import type { OptionReader } from '../../options/option_reader.ts'
import { nameFromString } from '../../protocol/name.ts'
import type { NodeFacts } from '../service.ts'
import { readAdditions, type StateAdditions } from './state_files.ts'

/** The settings of the control over a development chain. */
export interface DevSettings {
  /** The reason why the chain cannot be controlled; undefined if it can. */
  refusal: string | undefined
  /** Accounts for which anyone may act from the start. */
  any_account: readonly bigint[] | 'all'
  data_dir: string
  /** What the state that is loaded adds to its snapshot. */
  load: StateAdditions | undefined
}

/** The settings that follow from the options.
 *  @throws OptionError for every value that is wrong */
export function devSettings(values: OptionReader, node: NodeFacts): DevSettings {
  const { development, data_dir } = node
  const names = values.list('any-account')
  if (!development && names.length > 0) {
    throw new OptionError('any-account is for development chains: start one without producer-name')
  }
  const any_account = names.includes('all')
    ? 'all'
    : names.map((name) => parsed('any-account', name, nameFromString))
  const load = loadedState(values)
  if (load && !development) {
    throw new OptionError('load-state is for development chains: start one without producer-name')
  }
  return { refusal: development ? undefined : NOT_DEVELOPMENT, any_account, data_dir, load }
}

function loadedState(values: OptionReader): StateAdditions | undefined {
  const snapshot = values.text('load-state')
  if (snapshot === undefined) return undefined
  try {
    return readAdditions(snapshot)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OptionError(`load-state: ${reason}`)
  }
}

const NOT_DEVELOPMENT =
  'only a development chain can be controlled: start the node without producer-name, and without another chain'
