/**
 * Runs all tests: each folder of tests in a mocha process of its own, and as many processes at a time
 * as there are processors. Closes with the counts of all, as mocha does.
 *
 *     node scripts/test.mjs FOLDER [options of mocha]
 *
 * `mocha --parallel` is no alternative: its processes exchange results as JSON, so that the first
 * failed assertion about a BigInt, or the first file that does not load, ends the whole run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join, sep } from 'node:path'

const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
/** Folders that take longest begin first, so that no processor is idle at the end. */
const LONG = ['contract', 'engine/chain', 'docs', 'server', 'crash', 'node', 'replay']
/** A large folder, whose own folders are run one by one. */
const DIVIDED = 'engine'
/** Lines of the output that are shown again of a process that ended without a report. */
const LAST_LINES = 40

const [root, ...options] = process.argv.slice(2)
const queue = folders(root)
const total = { passing: 0, pending: 0, failing: 0 }
const failed = []
await Promise.all(Array.from({ length: availableParallelism() }, work))

// Again, so that a reader of the last lines sees what has failed.
for (const { name, report } of failed) console.log(`\n== failed in ${name}\n${report}`)
console.log(`\n  ${total.passing} passing`)
if (total.pending > 0) console.log(`  ${total.pending} pending`)
if (total.failing > 0) {
  console.log(`  ${total.failing} failing`)
  for (const { name } of failed) console.log(`    in ${name}`)
  process.exitCode = 1
}

/** Takes folders from the queue until there are none. */
async function work() {
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) await run(folder)
}

/** Runs the tests of a folder; prints what they print when they have ended. */
async function run({ name, files }) {
  const began = performance.now()
  const argv = [MOCHA, ...files, ...options]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  }
  const [code, signal] = await once(child, 'close')
  const seconds = Math.round((performance.now() - began) / 1000)
  process.stdout.write(`\n== ${name}: ${seconds} seconds\n${output}`)
  const counts = countsOf(output)
  // A process that ends without counting a failure has failed all the same.
  if (code !== 0 && counts.failing === 0) {
    console.log(`  ${name} ended with ${signal ?? `code ${code}`}`)
    counts.failing = 1
  }
  for (const kind of Object.keys(total)) total[kind] += counts[kind]
  if (counts.failing > 0) failed.push({ name, report: failureReport(output) })
}

/** What mocha printed about failed tests, or the last lines of a process that printed no counts. */
function failureReport(output) {
  const at = output.search(/^ *\d+ failing\b/m)
  return at >= 0 ? output.slice(at) : output.split('\n').slice(-LAST_LINES).join('\n')
}

/** The closing counts of mocha; the last ones, since tests may print what mocha printed elsewhere. */
function countsOf(output) {
  const count = (kind) =>
    Number([...output.matchAll(new RegExp(`^ *(\\d+) ${kind}\\b`, 'gm'))].at(-1)?.[1] ?? 0)
  return { passing: count('passing'), pending: count('pending'), failing: count('failing') }
}

/** The folders below `root` that have tests, each with its files; the long ones first. */
function folders(root) {
  const groups = new Map()
  for (const file of readdirSync(root, { recursive: true }).sort()) {
    if (!file.endsWith('.test.ts')) continue
    const parts = dirname(file).split(sep)
    const name = parts.slice(0, parts[0] === DIVIDED ? 2 : 1).join('/')
    groups.set(name, [...(groups.get(name) ?? []), join(root, file)])
  }
  const rank = (name) => (LONG.includes(name) ? LONG.indexOf(name) : LONG.length)
  return [...groups]
    .map(([name, files]) => ({ name, files }))
    .sort((a, b) => rank(a.name) - rank(b.name))
}
