/**
 * Chains in process beside VeRT, in one run: a token suite with a reset before each action, one action, and the
 * first test of a process: `[VERT=folder] node --import tsx bench/in_process.ts [actions]` after `npm run build`.
 * `VERT` is the folder of an installed package that has the interface of VeRT: `@vaulta/vert`, `@eosnetwork/vert` or
 * `@proton/vert`. Times are CPU time; each is the least of five runs, taken in turn.
 */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { machineText } from './support/machine.ts'

interface Result {
  first_ms: number
  first_cpu_ms: number
  with_reset_us: number
  transfer_us: number
}

const ROUNDS = 3
const actions = Number(process.argv[2] ?? 1000)
const require = createRequire(import.meta.url)
const token = join(dirname(require.resolve('proton-tsc/package.json')), 'external/eosio.token')
const library = resolve(import.meta.dirname, '../dist/library/index.js')
const vert = process.env['VERT'] === undefined ? undefined : resolve(process.env['VERT'])

const rounds: [Result, Result | undefined][] = []
for (let i = 0; i < ROUNDS; i++) rounds.push([suite(library), vert ? suite(vert) : undefined])

console.log(machineText())
print(`a test of ${actions}: reset and action`, 'with_reset_us', 'us')
print('one transfer', 'transfer_us', 'us')
print('first test, CPU', 'first_cpu_ms', 'ms')
print('first test', 'first_ms', 'ms')

/** Runs the suite in a process of its own. */
function suite(folder: string): Result {
  const script = join(import.meta.dirname, 'support/token_suite.mjs')
  const args = [script, folder, join(token, 'eosio.token'), String(actions)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Result
}

function print(what: string, name: keyof Result, unit: string): void {
  const own = Math.min(...rounds.map(([result]) => result[name]))
  const other = Math.min(...rounds.map(([, result]) => result?.[name] ?? Infinity))
  const beside =
    other === Infinity
      ? ''
      : `, VeRT ${other.toFixed(0)} ${unit}: ${(other / own).toFixed(1)} times`
  console.log(`${what.padEnd(34)} ${own.toFixed(0)} ${unit}${beside}`)
}
