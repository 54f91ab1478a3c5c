/**
 * Compiles src/ and generated/ to dist/, joins them to the program in dist/program/ and the library in
 * dist/library/, and makes the documentation
 * pages that the node serves. Runs at `npm install` in a clone and before the tests, so it needs nothing else to be
 * built.
 *
 *     node scripts/build.mjs               builds everything anew
 *     node scripts/build.mjs --if-needed   builds only what is older than its sources
 */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'
import { library } from './library.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** What is built: its sources, its main results, and a file that is as old as the last complete build. */
const PROGRAM = {
  sources: [
    ...filesIn('src'),
    ...filesIn('generated').filter((file) => file.endsWith('.ts')),
    ...['tsconfig.json', 'tsconfig.build.json', 'package.json', 'scripts/build.mjs'],
    ...['scripts/bundle.mjs', 'scripts/library.mjs'],
  ],
  results: [
    ...['dist/src/main.js', 'dist/generated/routes.js', 'dist/program/main.js'],
    'dist/library/index.js',
  ],
  stamp: 'dist/.program_built',
}
const PAGES = {
  sources: [...['openapi', 'docs', 'scripts/codegen'].flatMap(filesIn), 'package.json'],
  results: ['generated/docs/guides.html', 'generated/docs.html'],
  stamp: 'dist/.pages_built',
}

const compiler = findCompiler()
const anew = !process.argv.includes('--if-needed')
if (compiler === undefined) {
  // An installed package carries dist/ and no sources. A clone may have been built before packages were removed.
  const is_built = existsSync('tsconfig.build.json')
    ? !anew && [PROGRAM, PAGES].every(isBuilt)
    : existsSync('dist/program/main.js')
  if (!is_built) throw new Error('the package typescript-7 is not installed: run npm install')
} else {
  if (anew) rmSync('dist', { recursive: true, force: true })
  await build(PROGRAM, async () => {
    run(compiler, '-p', 'tsconfig.build.json')
    removeOrphans()
    await bundle()
    await library()
  })
  await build(PAGES, () => run('--import', 'tsx', 'scripts/codegen/index.ts', '--docs'))
}

function findCompiler() {
  try {
    const manifest = createRequire(import.meta.url).resolve('typescript-7/package.json')
    return join(dirname(manifest), 'bin/tsc')
  } catch {
    return undefined
  }
}

function isBuilt({ sources, results, stamp }) {
  if (![...results, stamp].every((file) => existsSync(file))) return false
  return sources.every((file) => modified(file) < modified(stamp))
}

async function build(what, make) {
  if (isBuilt(what)) return
  const { stamp } = what
  // What changes while it is built is built again the next time.
  const began = new Date()
  await make()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, '')
  utimesSync(stamp, began, began)
}

/** The compiler keeps what it made of a source that is gone. */
function removeOrphans() {
  for (const made of ['dist/src', 'dist/generated'].flatMap(filesIn)) {
    const source = made.replace(/^dist\//, '').replace(/(\.d\.ts|\.js)$/, '.ts')
    if (source.endsWith('.ts') && !existsSync(source)) rmSync(made)
  }
}

/** All files and folders below a folder: a file that is removed changes its folder. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
}

function modified(file) {
  return statSync(file).mtimeMs
}

function run(...argv) {
  execFileSync(process.execPath, argv, { stdio: 'inherit' })
}
