/**
 * Fuzzes a node of its own with schemathesis, from the bundled contract: `make fuzz`, `make fuzz-long`.
 * Arguments are those of `st run`. Fails where schemathesis does, and where the node logs a fault,
 * ends, or makes no blocks afterwards.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { NodeProcess, temporaryFolder } from '../support/node_process.ts'
import { until } from '../support/wait.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

const PACKAGE = join(import.meta.dirname, '../..')
const SETTINGS = join(import.meta.dirname, 'schemathesis.toml')
const HOOKS = join(import.meta.dirname, 'hooks.py')
const CONTRACT = join(PACKAGE, 'generated/openapi.json')
const IMAGE = 'schemathesis/schemathesis:4.32.5'
const FAULTS_SHOWN = 20

/** Accounts, a token that two hold, the probe. */
async function fillChain(url: string): Promise<void> {
  const chain = new WharfkitChain(url)
  await chain.createToken('1000000.0000', '1000.0000')
  await chain.createAccounts('carol', 'probe')
  await chain.deploy('probe', 'probe')
  const transfer = { from: 'alice', to: 'bob', quantity: '1.0000 SYS', memo: '' }
  await chain.act('eosio.token', 'transfer', 'alice', transfer)
}

/** The command that is schemathesis: a container where an engine runs, else a virtual environment. */
function schemathesis(): string[] {
  const engine = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0
  if (!engine) return [join(PACKAGE, '.venv/schemathesis/bin/st')]
  const mount = ['-v', `${PACKAGE}:${PACKAGE}:ro`, '-w', '/tmp', '-e', 'SCHEMATHESIS_HOOKS']
  return ['docker', 'run', '--rm', '--network', 'host', ...mount, IMAGE]
}

/** @param folder where schemathesis leaves what it found */
async function fuzz(url: string, folder: string, options: readonly string[]): Promise<boolean> {
  const [program, ...before] = schemathesis()
  const argv = ['--config-file', SETTINGS, 'run', CONTRACT, '--url', url, ...options]
  const env = { ...process.env, SCHEMATHESIS_HOOKS: HOOKS }
  const child = spawn(program!, [...before, ...argv], { cwd: folder, env, stdio: 'inherit' })
  const [code] = (await once(child, 'close')) as [number | null]
  return code === 0
}

const folder = temporaryFolder()
// Lines of transactions have texts of contracts, which may look like faults.
const node = await NodeProcess.start(folder.path, ['--verbose-http-errors', '--quiet'])
try {
  await fillChain(node.url)
  const passed = await fuzz(node.url, folder.path, process.argv.slice(2))
  const head = await node.head()
  await until('the head advances', async () => (await node.head()) > head)
  const faults = node.stderr.split('\n').filter((line) => / error /.test(line))
  for (const fault of faults.slice(0, FAULTS_SHOWN)) console.error(fault)
  if (!passed || faults.length > 0) process.exitCode = 1
} finally {
  await node.kill()
  folder.remove()
}
