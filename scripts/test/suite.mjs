/** One suite of tests: the files of a folder, in a mocha process of its own that ends in a bounded time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
/** Lines of the output that are shown again of a suite that ended without a report. */
const LAST_LINES = 40
/** The unit of processor time in /proc, in milliseconds. */
const TICK_MS = 10

const running = new Set()

/** Ends all suites that run, with every process that their tests started. */
export function endSuites(reason) {
  for (const suite of running) suite.end(reason)
}

/**
 * Runs the files of a suite, `seconds` at most, and prints what they print when they have ended.
 * Returns what has passed and failed; a suite that was ended early has failed.
 */
export async function runSuite({ name, files }, options, seconds) {
  const began = performance.now()
  // A process group of its own, so that nothing that the tests started is left when the suite is ended.
  const child = spawn(process.execPath, [MOCHA, ...files, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  }
  let cutOff
  const suite = {
    end(reason) {
      cutOff ??= reason
      killGroup(child.pid)
    },
  }
  running.add(suite)
  const timer = setTimeout(() => suite.end(`after ${Math.round(seconds)} seconds`), seconds * 1000)
  const closed = once(child, 'close')
  await once(child, 'exit')
  const cpu = processorSeconds()
  const [code, signal] = await closed
  clearTimeout(timer)
  running.delete(suite)

  const wall = Math.round((performance.now() - began) / 1000)
  process.stdout.write(`\n== ${name}: ${wall} seconds${cpu}\n${output}`)
  const counts = countsOf(output)
  if (cutOff !== undefined) {
    console.log(`  ${name} was cut off ${cutOff}`)
    counts.failing += 1
  } else if (code !== 0 && counts.failing === 0) {
    // A process that ends without counting a failure has failed all the same.
    console.log(`  ${name} ended with ${signal ?? `code ${code}`}`)
    counts.failing = 1
  }
  return { name, cutOff, counts, report: failureReport(output) }
}

/** Kills a process and all that it started, which may have ended meanwhile. */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

let counted = 0

/** The processor time of the child that has just ended, with its own children; nothing where the system does not tell it. */
function processorSeconds() {
  if (process.platform !== 'linux') return ''
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const total = Number(fields[13]) + Number(fields[14])
  const own = total - counted
  counted = total
  return `, ${Math.round((own * TICK_MS) / 1000)} of CPU`
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
