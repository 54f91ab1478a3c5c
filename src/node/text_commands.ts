import { serverVersion } from '../engine/index.ts'
import { helpText, printConfig, printDefaultConfig } from '../options/help.ts'
import type { OptionValues } from '../options/parse.ts'
import { runGenesisCommand } from './genesis_command.ts'

/**
 * The text that the options ask for in place of a node; undefined if they ask for a node.
 * @throws OptionError for errors that the user can correct
 */
export function requestedText(values: OptionValues, version: string): string | undefined {
  if (values.switch('help')) return helpText(version)
  if (values.switch('version')) return `v${version}\n`
  if (values.switch('full-version')) return `${serverVersion(version).server_full_version_string}\n`
  if (values.switch('print-default-config')) return printDefaultConfig()
  if (values.switch('print-config')) return printConfig(values)
  if (values.switch('print-genesis-json') || values.isGiven('extract-genesis-json')) {
    return runGenesisCommand(values)
  }
  return undefined
}
