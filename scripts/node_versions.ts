/**
 * `make node-versions`: runs what a version of Node.js could break on the oldest supported version and on
 * each current one: the start of the program, a kill and a restart, the store, and the clients.
 * npm carries Node.js as packages; they are installed below the system's temporary folder.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const VERSIONS = ['20.19.0', '22', '24', '26']
/** On a disk: the versions have some hundred megabytes, and are kept. */
const INSTALLED = join(tmpdir(), 'pronghorn-node-versions')
const MOCHA = 'node_modules/mocha/bin/mocha.js'
const TESTS = [
  'test/node/kill_and_restart.test.ts',
  'test/engine/store/*.test.ts',
  'test/clients/eosjs_token.test.ts',
  'test/clients/wharfkit_token.test.ts',
]

interface Ending {
  code: number | null
  output: string
}

async function run(command: string, args: readonly string[]): Promise<Ending> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const take = (chunk: Buffer) => (output += chunk.toString())
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** The program `node` of a version. */
async function installed(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  const folder = join(INSTALLED, version)
  mkdirSync(folder, { recursive: true })
  const args = ['install', '--silent', '--prefix', folder, `${name}@${version}`]
  const { code, output } = await run('npm', args)
  if (code !== 0) throw new Error(`${name}@${version} cannot be installed: ${output}`)
  return join(folder, 'node_modules', name, 'bin', 'node')
}

const counted = (output: string, word: string): number =>
  Number(new RegExp(`^ *(\\d+) ${word}`, 'm').exec(output)?.[1] ?? 0)

/** Runs the tests on one version; tells how many passed and failed. */
async function tried(version: string): Promise<{ passed: number; failed: number }> {
  const node = await installed(version)
  const exact = (await run(node, ['--version'])).output.trim()
  const started = performance.now()
  const { code, output } = await run(node, [MOCHA, ...TESTS])
  const passed = counted(output, 'passing')
  // A run that ended without counting a failure has failed all the same.
  const failed = Math.max(counted(output, 'failing'), code === 0 && passed > 0 ? 0 : 1)
  if (failed > 0) console.log(output)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`Node.js ${exact}: ${passed} passed, ${failed} failed, in ${seconds} s`)
  return { passed, failed }
}

const FILES = new URL('./test/temporary_files.mjs', import.meta.url).href
const { keepFilesInMemory } = (await import(FILES)) as { keepFilesInMemory: () => void }
keepFilesInMemory()
// The tests run the program as it was built; two runs must not build it at once.
const built = await run(process.execPath, ['scripts/build.mjs', '--if-needed'])
if (built.code !== 0) throw new Error(`the program cannot be built: ${built.output}`)

let passed = 0
let failed = 0
const left = [...VERSIONS]
async function tryNext(): Promise<void> {
  for (let version = left.shift(); version !== undefined; version = left.shift()) {
    const result = await tried(version)
    passed += result.passed
    failed += result.failed
  }
}
// Two at a time: much of a run is waiting for blocks.
await Promise.all([tryNext(), tryNext()])
console.log(`node-versions: ${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
