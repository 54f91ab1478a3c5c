/** A node as its own process, on a folder of its own. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, type Answer } from './http.ts'
import { until } from './wait.ts'

const PACKAGE = join(import.meta.dirname, '../..')

let is_built = false

/** Arguments for node that run the program as it was built; builds it first where it is stale. */
export function builtProgram(): readonly string[] {
  if (!is_built) {
    const build = join(PACKAGE, 'scripts/build.mjs')
    execFileSync(process.execPath, [build, '--if-needed'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    is_built = true
  }
  return [join(PACKAGE, 'bin/pronghorn.js')]
}

/**
 * The program with a clock that counts little of what transactions take: on a busy machine they do not
 * run out of time, and a guide or a script does what it says.
 */
export function patientProgram(): readonly string[] {
  return ['--require', join(PACKAGE, 'test/driver/slow_clock.cjs'), ...builtProgram()]
}

/** On a busy machine a vote may wait for its disk, which is not a reason to make no blocks. */
export const NO_VOTE_PAUSE = '--production-pause-vote-timeout-ms=0'

/** A test takes seconds, in which the warm-up would take more of the processors than the node. */
export function withoutWarmUp(argv: readonly string[]): string[] {
  return argv.some((arg) => arg.startsWith('--warm-up')) ? [] : ['--warm-up=false']
}

/** How a process ended: its code, or the signal that killed it. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A folder under the system's temporary one, and how to remove it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'pronghorn-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Starts the program with any arguments; does not wait for anything. */
export class NodeProcess {
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  /** Resolves when the process is gone. */
  readonly ended: Promise<Ending>

  constructor(argv: readonly string[], cwd = PACKAGE, program = builtProgram()) {
    this.child = spawn(process.execPath, [...program, ...argv], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout!.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()))
    this.child.stderr!.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }) as Ending)
  }

  /** Starts a node that keeps everything in `folder`, on a free port; answers when it is ready. */
  static async start(
    folder: string,
    argv: readonly string[] = [],
    program = builtProgram(),
  ): Promise<NodeProcess> {
    const address = ['--http-server-address', '127.0.0.1:0']
    const no_peers = argv.some((arg) => arg.startsWith('--p2p-listen-endpoint'))
      ? []
      : ['--p2p-listen-endpoint=']
    const validates = argv.some((arg) => arg.startsWith('--validate-responses'))
      ? []
      : ['--validate-responses']
    const always = ['--data-dir', folder, ...validates, NO_VOTE_PAUSE]
    const options = [...always, ...address, ...no_peers, ...withoutWarmUp(argv)]
    const node = new NodeProcess([...options, ...argv], PACKAGE, program)
    await until('the node is ready', () => {
      if (node.gone) throw new Error(`the node ended: ${node.stderr}`)
      return node.stdout.includes('is ready') && node.stdout.includes('producing for')
    })
    return node
  }

  get gone(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /** Resolves when the log has this. It is read from another pipe than the output, and may be read later. */
  async logged(pattern: RegExp): Promise<void> {
    await until(`the log has ${pattern}`, () => {
      if (this.gone) throw new Error(`the node ended: ${this.stderr}`)
      return pattern.test(this.stderr)
    })
  }

  /** The first address of the ready text. */
  get url(): string {
    const url = /listening on\s+(\S+)/.exec(this.stdout)?.[1]
    if (url === undefined) throw new Error(`no address in: ${this.stdout}`)
    return url
  }

  chain(operation: string, body?: unknown): Promise<Answer> {
    return ask(this.url, `/v1/chain/${operation}`, { body })
  }

  async head(): Promise<number> {
    return ((await this.chain('get_info')).body as { head_block_num: number }).head_block_num
  }

  /** Asks the node to end. */
  stop(): Promise<Ending> {
    this.child.kill('SIGTERM')
    return this.ended
  }

  /** Ends it as a power cut would. */
  kill(): Promise<Ending> {
    this.child.kill('SIGKILL')
    return this.ended
  }
}
