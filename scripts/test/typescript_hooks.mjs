/** The hook of Node.js that loads TypeScript: esbuild removes the types. Results are kept for other processes. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(PACKAGE, 'node_modules/.cache/typescript')
const require = createRequire(import.meta.url)
const { version } = require('esbuild/package.json')
const OPTIONS = {
  ...{ loader: 'ts', format: 'esm', target: 'node20.19', charset: 'utf8' },
  ...{ sourcemap: 'inline', sourcesContent: false },
}
const MADE_BY = `${version} ${JSON.stringify(OPTIONS)}`

/** The source of a module; other files than those of TypeScript are loaded as usual. */
export function load(url, context, next) {
  if (!url.startsWith('file:') || !/\.m?ts(\?.*)?$/.test(url)) return next(url, context)
  const source = javascript(fileURLToPath(url))
  return { format: 'module', source, shortCircuit: true }
}

/** Where the JavaScript of a source is kept. */
export function keptAt(file) {
  return join(CACHE, `${relative(PACKAGE, file).replaceAll('..', '_')}.mjs`)
}

/** The module in JavaScript. A kept one was made from this source, and in this way, if it ends with the digest of both. */
export function javascript(file) {
  const text = readFileSync(file, 'utf8')
  const mark = `\n//${createHash('sha1').update(`${MADE_BY} ${file}\n${text}`).digest('hex')}\n`
  const kept = keptAt(file)
  try {
    const made = readFileSync(kept, 'utf8')
    if (made.endsWith(mark)) return made
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  const { code } = require('esbuild').transformSync(text, { ...OPTIONS, sourcefile: file })
  const made = code + mark
  mkdirSync(dirname(kept), { recursive: true })
  // Another process or thread may read or write the same file.
  const whole = `${kept}.${randomUUID()}`
  writeFileSync(whole, made)
  renameSync(whole, kept)
  return made
}
