/** The hook of Node.js that loads TypeScript: esbuild removes the types. Results are kept for other processes. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(PACKAGE, 'node_modules/.cache/typescript')
const require = createRequire(import.meta.url)
const { version } = require('esbuild/package.json')

/** The source of a module; other files than those of TypeScript are loaded as usual. */
export function load(url, context, next) {
  if (!url.startsWith('file:') || !/\.m?ts(\?.*)?$/.test(url)) return next(url, context)
  const source = javascript(fileURLToPath(url))
  return { format: 'module', source, shortCircuit: true }
}

/** The module in JavaScript. A kept one was made from this source if it ends with the digest of it. */
export function javascript(file) {
  const text = readFileSync(file, 'utf8')
  const mark = `\n//${createHash('sha1').update(`${version} ${file}\n${text}`).digest('hex')}\n`
  const kept = join(CACHE, `${relative(PACKAGE, file).replaceAll('..', '_')}.mjs`)
  try {
    const made = readFileSync(kept, 'utf8')
    if (made.endsWith(mark)) return made
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  const { code } = require('esbuild').transformSync(text, {
    ...{ loader: 'ts', format: 'esm', target: 'node20.19', charset: 'utf8' },
    ...{ sourcemap: 'inline', sourcesContent: false, sourcefile: file },
  })
  const made = code + mark
  mkdirSync(dirname(kept), { recursive: true })
  // Another process may read or write the same file.
  writeFileSync(`${kept}.${process.pid}`, made)
  renameSync(`${kept}.${process.pid}`, kept)
  return made
}
