import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
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

/**
 * `pronghorn init [FOLDER]`: writes a small project with a contract and its test. A package.json that is there already
 * is kept; any other file of the project that is there stops everything.
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
  return nextText(folder, Object.keys(files))
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
    scripts: { start: 'pronghorn', test: 'node --test' },
    devDependencies: { pronghorn: version },
  }
}

function nextText(folder: string, files: readonly string[]): string {
  const place = relative(process.cwd(), folder)
  const steps = [
    ...(place === '' ? [] : [`cd ${place}`]),
    ...(files.includes('package.json') ? ['npm install'] : []),
    'node --test      runs the test of the contract',
    'npx pronghorn    starts a node with the contract',
  ]
  return [
    ...files.map((file) => `wrote ${file}`),
    '',
    'Next:',
    ...steps.map((s) => `  ${s}`),
    '',
  ].join('\n')
}
