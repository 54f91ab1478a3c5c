import { SERVICES } from '../engine/services/list.ts'
import { CHAIN_OPTIONS } from './chain_options.ts'
import { FOLDER_OPTIONS } from './folder_options.ts'
import { HTTP_OPTIONS } from './http_options.ts'
import { NODE_OPTIONS } from './node_options.ts'
import { PROJECT_OPTIONS } from './project_options.ts'
import type { OptionRow } from '../engine/options/row.ts'

/**
 * All options of the node, on the command line and in the config file.
 *
 * Names and defaults are the reference's if it has the option (spring: plugins/*_plugin.cpp,
 * set_program_options). An option of the reference that is not built here is listed in `REFUSED`
 * (refused.ts). Giving it is an error, because accepting and ignoring an option would mislead the
 * user.
 */
export const OPTIONS: readonly OptionRow[] = [
  ...NODE_OPTIONS,
  ...FOLDER_OPTIONS,
  ...PROJECT_OPTIONS,
  ...CHAIN_OPTIONS,
  ...SERVICES.flatMap(({ options }) => options),
  ...HTTP_OPTIONS,
]
