import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { OptionError } from '../engine/options/option_error.ts'
import { helloContract } from './hello_contract.ts'

const CONFIG = `import { defineConfig } from 'pronghorn/config'

// The chain that \`npx pronghorn\` starts in this folder.
export default defineConfig({
  accounts: ['alice', 'bob'],
  deploy: { hello: 'contracts/hello' },
  // Deploys a contract again when its files change.
  watch: true,
})
`

const TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chain } from 'pronghorn'

test('hello greets a user', () => {
  const chain = Chain.create()
  const hello = chain.deploy('hello', 'contracts/hello')
  const { return_value, console } = hello.actions.hi({ user: 'alice' }).send()
  assert.equal(return_value, 'alice')
  assert.equal(console, 'hello, alice')
})

test('an account that does not exist cannot act', () => {
  const chain = Chain.create()
  const hello = chain.deploy('hello', 'contracts/hello')
  assert.throws(() => hello.actions.hi({ user: 'alice' }).send('ghost@active'), /ghost/)
})
`

const README = (name: string) => `# ${name}

- \`npm test\` runs the tests of the contract, each on a chain in memory.
- \`npm start\` starts a node with the accounts and contracts of \`pronghorn.config.mjs\`.

\`contracts/\` has a compiled contract: replace it by what your compiler builds (a WASM file, and the ABI beside it).
`

const SCRIPTS = { start: 'pronghorn', test: 'node --test' }
/** The script `test` that `npm init` writes. */
const NO_TEST = /^echo "Error: no test specified"/

/**
 * `pronghorn init [FOLDER]`: writes a small project with a contract and its test. A package.json that is there already
 * gets the scripts `start` and `test` if it lacks them, and is kept otherwise, as README.md and .gitignore are. Any
 * other file of the project that is there stops everything.
 * @returns the text to print
 * @throws OptionError, and nothing is written
 */
export function runInitCommand(argv: readonly string[], version: string): string {
  const [named = '.', ...rest] = argv
  if (rest.length > 0 || named.startsWith('-'))
    throw new OptionError('usage: pronghorn init [FOLDER]')
  const folder = resolve(named)
  const files: Record<string, string | Uint8Array> = {
    'pronghorn.config.mjs': CONFIG,
    'contracts/hello.wasm': helloContract.wasm,
    'contracts/hello.abi': helloContract.abi,
    'test/hello.test.mjs': TEST,
  }
  const present = Object.keys(files).filter((file) => existsSync(join(folder, file)))
  if (present.length > 0) {
    throw new OptionError(`init: ${folder} has ${present.join(', ')} already; nothing is written`)
  }
  const present_manifest = readManifest(folder)
  const optional = {
    'package.json': JSON.stringify(manifest(basename(folder), version), undefined, 2) + '\n',
    'README.md': README(basename(folder)),
    '.gitignore': 'node_modules\ndata\n',
  }
  for (const [file, content] of Object.entries(optional)) {
    if (!existsSync(join(folder, file))) files[file] = content
  }
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content, { flag: 'wx' })
  }
  const lines = Object.keys(files).map((file) => `wrote ${file}`)
  const added = present_manifest ? addScripts(folder, present_manifest) : []
  if (added.length > 0) lines.push(`added to package.json: scripts ${added.join(', ')}`)
  return [...lines, '', ...nextSteps(folder, present_manifest === undefined), ''].join('\n')
}

interface Manifest {
  scripts?: Record<string, string>
}

/** The package.json that is in a folder; undefined: there is none. @throws OptionError it cannot be read */
function readManifest(folder: string): Manifest | undefined {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return undefined
  try {
    const read = JSON.parse(readFileSync(path, 'utf8')) as unknown
    const { scripts = {} } = read as Manifest
    if (typeof scripts === 'object') return read as Manifest
    throw new Error('"scripts" is not an object')
  } catch (error) {
    throw new OptionError(`init: ${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Adds the scripts that a package.json lacks. @returns their names */
function addScripts(folder: string, manifest: Manifest): string[] {
  const { scripts = {} } = manifest
  const lacks = (name: string) => scripts[name] === undefined || NO_TEST.test(scripts[name])
  const added = Object.entries(SCRIPTS).filter(([name]) => lacks(name))
  if (added.length === 0) return []
  const written = { ...manifest, scripts: { ...scripts, ...Object.fromEntries(added) } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(written, undefined, 2) + '\n')
  return added.map(([name]) => name)
}

/** Names of npm packages have small letters and few signs. */
function manifest(name: string, version: string): object {
  return {
    name:
      name
        .toLowerCase()
        .replace(/[^a-z0-9-]+/g, '-')
        .replace(/^-+|-+$/g, '') || 'project',
    private: true,
    type: 'module',
    scripts: SCRIPTS,
    devDependencies: { pronghorn: version },
  }
}

function nextSteps(folder: string, is_new: boolean): string[] {
  const place = relative(process.cwd(), folder)
  const steps = [
    ...(place === '' ? [] : [`cd ${place}`]),
    ...(is_new ? ['npm install'] : []),
    'npm test      runs the test of the contract',
    'npm start     starts a node with the contract',
  ]
  return ['Next:', ...steps.map((step) => `  ${step}`)]
}
