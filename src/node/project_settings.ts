import { dirname } from 'node:path'
import {
  OptionError,
  namesOnCommandLine,
  parseOptions,
  type OptionValues,
} from '../options/parse.ts'
import { NO_PROJECT, isEmpty, joinedProjects, projectOf, type Project } from '../project/project.ts'
import { readConfigFile } from '../project/read_config.ts'
import { DEVELOPMENT_PRIVATE_KEY } from './development.ts'

/** What a node is started with. */
export interface Start {
  values: OptionValues
  project: Project
  /** The configuration that was found without being asked for. */
  found_file: string | undefined
}

/**
 * Reads the options, and the project that they and the configuration in the current folder ask for.
 * @throws OptionError for all that is wrong
 */
export async function readStart(argv: readonly string[]): Promise<Start> {
  const folder = process.cwd()
  const first = parseOptions(argv)
  const named = first.text('project')
  const file = await readConfigFile(named, folder)
  const values = file ? parseOptions([...argv, ...configuredOptions(file.config, argv)]) : first
  const of_options = projectOf(configOf(values), folder, DEVELOPMENT_PRIVATE_KEY)
  const of_file = file
    ? inFile(file.path, () => projectOf(file.config, dirname(file.path), DEVELOPMENT_PRIVATE_KEY))
    : NO_PROJECT
  return {
    values,
    project: joinedProjects(of_file, of_options),
    found_file: named === undefined && isEmpty(of_options) ? file?.path : undefined,
  }
}

/** `options` of a configuration as arguments; the command line has precedence. */
function configuredOptions(config: unknown, argv: readonly string[]): string[] {
  const options = (config as { options?: unknown } | null)?.options ?? {}
  const given = namesOnCommandLine(argv)
  return Object.entries(options)
    .filter(([name]) => !given.has(name))
    .flatMap(([name, value]) => [value].flat().map((item) => `--${name}=${String(item)}`))
}

/** The configuration that options describe. */
function configOf(values: OptionValues): unknown {
  return {
    accounts: values.list('account'),
    deploy: Object.fromEntries(values.list('deploy').map(accountAndContract)),
    actions: values.list('action').map(actionOf),
    bios: values.switch('bios'),
    watch: values.switch('watch'),
  }
}

function accountAndContract(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)]
  throw new OptionError(`deploy "${text}" is not ACCOUNT=CONTRACT`)
}

function actionOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new OptionError(`action "${text}" is not JSON: ${(error as Error).message}`)
  }
}

function inFile<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    throw new OptionError(`${path}: ${error.message}`)
  }
}
