/**
 * Runs all tests: each folder of tests in a mocha process of its own, and some together in one. As many run at a
 * time as there are processors, and beside them one of those whose tests mostly wait. Closes with the counts of all, as
 * mocha does. What is not done in time is cut off and named.
 *
 *     node scripts/test.mjs FOLDER [options of mocha]
 *
 * TEST_SECONDS bounds the time of all, TEST_SUITE_SECONDS that of each folder. What each file costs is said with
 * `--reporter ./scripts/test/cost_reporter.mjs`.
 *
 * `mocha --parallel` is no alternative: its processes exchange results as JSON, so that the first
 * failed assertion about a BigInt, or the first file that does not load, ends the whole run.
 */
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { endSuites, runSuite } from './test/suite.mjs'
import { keepFilesInMemory } from './test/temporary_files.mjs'

/** Folders that mostly wait: for blocks, for processes and for deadlines. The long ones first. */
const WAITING = ['crash', 'net', 'clients']
/** Folders that take longest begin first, so that no processor is idle at the end. */
const LONG = [
  'contract',
  'engine/chain',
  'server',
  'docs',
  'node',
  'soak',
  'engine/services',
  'snapshots and replay',
  'fuzz',
  'crypto, store and state',
  'sdk',
  'engine/vm',
]
/** Folders that run in one process: to load the modules takes longer than most of their tests. */
const TOGETHER = {
  'small folders': [
    ...['bench', 'driver', 'engine', 'engine/abi', 'engine/json', 'engine/protocol'],
    ...['engine/queries', 'mutants', 'options', 'project', 'sending', 'vert'],
  ],
  'crypto, store and state': ['engine/crypto', 'engine/store', 'engine/state'],
  'snapshots and replay': ['engine/snapshot', 'replay', 'in_process'],
  'scripts and tidy': ['scripts', 'tidy'],
  clients: ['testing', 'clients'],
}
/** A large folder, whose own folders are run one by one. */
const DIVIDED = 'engine'

const [root, ...options] = process.argv.slice(2)
const suiteSeconds = Number(process.env.TEST_SUITE_SECONDS ?? 600)
let deadline = performance.now() + Number(process.env.TEST_SECONDS ?? 1020) * 1000
const total = { passing: 0, pending: 0, failing: 0 }
const failed = []

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    deadline = performance.now()
    endSuites(`by ${signal}`)
  })
}

keepFilesInMemory()
const all = folders(root)
const waiting = all.filter(({ name }) => WAITING.includes(name))
const computing = all.filter(({ name }) => !WAITING.includes(name))
// Whoever has nothing left of its own helps with the rest.
await Promise.all([
  work(waiting, computing),
  ...Array.from({ length: availableParallelism() }, () => work(computing, waiting)),
])

// Again, so that a reader of the last lines sees what has failed.
for (const { name, report } of failed) console.log(`\n== failed in ${name}\n${report}`)
console.log(`\n  ${total.passing} passing`)
if (total.pending > 0) console.log(`  ${total.pending} pending`)
if (total.failing > 0) {
  console.log(`  ${total.failing} failing`)
  for (const { name, cutOff } of failed) {
    console.log(`    in ${name}${cutOff === undefined ? '' : `, cut off ${cutOff}`}`)
  }
  process.exitCode = 1
}

/** Takes folders from the queues, one after the other, until there are none. */
async function work(...queues) {
  for (let suite = next(queues); suite !== undefined; suite = next(queues)) await run(suite)
}

function next(queues) {
  return queues.find((queue) => queue.length > 0)?.shift()
}

/** Runs a suite in the time that is left, and counts what has passed and failed. */
async function run(suite) {
  const left = (deadline - performance.now()) / 1000
  const result =
    left > 0
      ? await runSuite(suite, options, Math.min(suiteSeconds, left))
      : { name: suite.name, cutOff: 'before it began', counts: { failing: 1 }, report: '' }
  for (const kind of Object.keys(result.counts)) total[kind] += result.counts[kind]
  if (result.counts.failing > 0) failed.push(result)
}

/** The name of the process that runs a folder. */
function groupOf(folder) {
  return Object.keys(TOGETHER).find((name) => TOGETHER[name].includes(folder)) ?? folder
}

/** The folders below `root` that have tests, each with its files; the long ones first. */
function folders(root) {
  const groups = new Map()
  for (const file of readdirSync(root, { recursive: true }).sort()) {
    // Packages that clients need are installed below the tests, some with tests of their own.
    if (!file.endsWith('.test.ts') || file.includes('node_modules')) continue
    const parts = dirname(file).split(sep)
    const folder = parts.slice(0, parts[0] === DIVIDED ? 2 : 1).join('/')
    const name = groupOf(folder)
    groups.set(name, [...(groups.get(name) ?? []), join(root, file)])
  }
  const order = [...WAITING, ...LONG]
  const rank = (name) => (order.includes(name) ? order.indexOf(name) : order.length)
  return [...groups]
    .map(([name, files]) => ({ name, files }))
    .sort((a, b) => rank(a.name) - rank(b.name))
}
