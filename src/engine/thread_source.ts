import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The part of esbuild that is used: a package for development, whose types are not needed otherwise. */
interface Esbuild {
  buildSync(options: Record<string, unknown>): {
    outputFiles: { contents: Uint8Array; hash: string }[]
  }
}

/** The files that were made, by their sources. */
const made = new Map<string, URL>()

/**
 * Where the program runs from its sources, as in tests: a file with a module of a thread and all that it imports, as
 * the bundle has it. It is made once in a process. A thread that loads its modules through tsx takes the processor
 * four times as long to start.
 */
export function joinedSource(source: URL): URL {
  const known = made.get(source.href)
  if (known !== undefined) return known
  const file = join(fileURLToPath(source))
  made.set(source.href, file)
  return file
}

function join(source: string): URL {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as Esbuild
  const [output] = buildSync({
    entryPoints: [source],
    bundle: true,
    write: false,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'inline',
  }).outputFiles
  const { contents } = output!
  const hash = Buffer.from(output!.hash, 'base64').toString('hex')
  const folder = new URL('../../node_modules/.cache/threads/', import.meta.url)
  const file = new URL(`${basename(source, '.ts')}-${hash}.mjs`, folder)
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  // Other processes may make the same file.
  const unfinished = new URL(`${file.href}.${process.pid}`)
  writeFileSync(unfinished, contents)
  renameSync(unfinished, file)
  return file
}
