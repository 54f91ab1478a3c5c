import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OptionError } from '../engine/options/option_error.ts'

/** Names of the configuration of a project, in the order in which they are looked for. */
const NAMES = ['ts', 'mts', 'mjs', 'js', 'json'].map((end) => `pronghorn.config.${end}`)

/** The configuration of a project as it is in its file, unchecked. */
export interface ConfigFile {
  /** Absolute. */
  path: string
  config: unknown
}

/**
 * Reads the configuration of a project.
 * @param named its file; if undefined, `pronghorn.config.*` in `folder`
 * @returns undefined if none is named and there is none
 * @throws OptionError if it cannot be read
 */
export async function readConfigFile(
  named: string | undefined,
  folder: string,
): Promise<ConfigFile | undefined> {
  const found = named ?? NAMES.find((name) => existsSync(join(folder, name)))
  if (found === undefined) return undefined
  const path = resolve(folder, found)
  if (!existsSync(path)) throw new OptionError(`project: there is no file ${path}`)
  if (/\.m?ts$/.test(path)) checkTypescript(path)
  try {
    return { path, config: path.endsWith('.json') ? readJson(path) : await readModule(path) }
  } catch (error) {
    if (error instanceof OptionError) throw error
    throw new OptionError(`${path} cannot be read: ${(error as Error).message}${hint(path, error)}`)
  }
}

/** A file whose package is not made of ES modules needs an extension that says that it is one. */
function hint(path: string, error: unknown): string {
  const [, kind] = /\.([jt])s$/.exec(path) ?? []
  if (kind === undefined || !(error instanceof SyntaxError)) return ''
  return `; with "type": "commonjs" in package.json, name it pronghorn.config.m${kind}s`
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

async function readModule(path: string): Promise<unknown> {
  const module = (await import(pathToFileURL(path).href)) as { default?: unknown }
  if (module.default !== undefined) return module.default
  throw new OptionError(`${path} has no default export: export default defineConfig({ … })`)
}

/** Node.js itself removes the types, from version 22.18 on; there is no compiler here. */
function checkTypescript(path: string): void {
  const { features } = process as { features: { typescript?: unknown } }
  if (features.typescript) return
  throw new OptionError(
    `${path}: Node.js ${process.versions.node} reads no TypeScript; version 22.18 or later does. ` +
      'Name the file pronghorn.config.mjs, or write pronghorn.config.json',
  )
}
