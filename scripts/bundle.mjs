/**
 * The program as users run it: one file for each thread and a few that several share, instead of a file for each
 * module, which takes a start most of its time. Names are kept, so that stack traces can be read.
 *
 * All files are in one folder: modules find the files of their threads beside themselves.
 */
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const OUT = 'dist/program'

const ENTRIES = {
  main: 'src/main.ts',
  thread: 'src/node/thread.ts',
  bls_worker: 'src/engine/crypto/bls_worker.ts',
  digest_worker: 'src/engine/crypto/digest_worker.ts',
  recovery_worker: 'src/engine/crypto/recovery_worker.ts',
  block_key_worker: 'src/engine/crypto/block_key_worker.ts',
  sync_worker: 'src/engine/store/sync_worker.ts',
  signing_worker: 'src/engine/crypto/signing_worker.ts',
  http_thread: 'src/server/threads/http_thread.ts',
  preparer_worker: 'src/engine/vm/preparation/preparer_worker.ts',
}

/** CommonJS packages in the bundle ask for modules of Node.js by `require`. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

/** Makes the program's files anew from the sources. The types are not checked. */
export async function bundle() {
  const { build } = await import('esbuild')
  rmSync(OUT, { recursive: true, force: true })
  const { metafile } = await build({
    metafile: true,
    entryPoints: ENTRIES,
    outdir: OUT,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Each thread keeps its sources, and V8 takes two bytes for each character where one needs them.
    charset: 'ascii',
    legalComments: 'inline',
    // V8 also keeps spaces and comments. Names stay, and lines are short enough to find a place in them.
    minifyWhitespace: true,
    lineLimit: 120,
    banner: { js: REQUIRE },
    logLevel: 'warning',
  })
  for (const file of Object.keys(metafile.outputs)) if (file.endsWith('.js')) narrow(file)
  const packages = packagesOf(metafile)
  writeFileSync(
    join(OUT, 'packages.json'),
    JSON.stringify([...new Set(packages.map(nameOf))]) + '\n',
  )
  writeFileSync(join(OUT, 'LICENSES.txt'), packages.map(licenceOf).join('\n'))
}

/** Replaces characters that need two bytes in comments, the only place that still has them. */
function narrow(file) {
  const text = readFileSync(file, 'utf8')
  const comment = /^\s*(\/\/|\/?\*).*$/gm
  writeFileSync(
    file,
    text.replace(comment, (line) => line.replace(/[^\0-\xff]/g, '?')),
  )
}

/** Folders of the packages whose code is in the files. */
function packagesOf({ inputs }) {
  const folders = Object.keys(inputs).flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [],
  )
  return [...new Set(folders)].sort()
}

function nameOf(folder) {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** The licence of a package, which must go with its code. */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  return [`== ${name} ${version} (${license})`, ...texts, ''].join('\n\n')
}
