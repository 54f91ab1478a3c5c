/** Somebody who does what a guide says, block by block, in a folder that looks like a clone. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  FROM_SOURCES,
  NodeProcess,
  patientProgram,
  temporaryFolder,
} from '../support/node_process.ts'
import { PACKAGE } from '../support/test_node.ts'
import { until } from '../support/wait.ts'
import { blocksOf, isShown, type Block } from './blocks.ts'

/** The address that guides show; nodes of tests have others. */
const SHOWN_ADDRESS = '127.0.0.1:8888'
/** Commands that go on until they are stopped. */
const NODE = /^npx pronghorn(?! snapshot)(?!.*(--help|--print|--version|--extract))/s

export class Reader {
  private readonly temporary = temporaryFolder()
  private readonly folder = this.temporary.path
  private node: NodeProcess | undefined
  /** What the last commands printed. */
  private printed = ''

  constructor() {
    for (const name of ['node_modules', 'examples', 'package.json', 'openapi', 'dist']) {
      symlinkSync(join(PACKAGE, name), join(this.folder, name))
    }
    mkdirSync(join(this.folder, '.bin'))
    const npx = join(this.folder, '.bin/npx')
    writeFileSync(npx, npxScript())
    chmodSync(npx, 0o755)
  }

  /** Does everything; throws where something fails or prints what the guide does not show. */
  async follow(markdown: string): Promise<void> {
    for (const step of blocksOf(markdown)) {
      try {
        if ('stop' in step) await this.stop()
        else await this.do(step)
      } catch (error) {
        throw new Error(`line ${step.line}: ${(error as Error).message}`, { cause: error })
      }
    }
  }

  async end(): Promise<void> {
    await this.stop()
    this.temporary.remove()
  }

  /** Where the node listens; the shown one while there is none. */
  private get address(): string {
    return this.node ? new URL(this.node.url).host : SHOWN_ADDRESS
  }

  private async do({ language, name, text: shown }: Block): Promise<void> {
    const text = shown.replaceAll(SHOWN_ADDRESS, this.address)
    if (language === 'ts') {
      if (name === undefined) throw new Error('the file has no name')
      writeFileSync(join(this.folder, name), text)
    } else if (language === 'sh') {
      const printed = NODE.test(text) ? await this.start(text) : await this.run(text)
      this.printed = printed.replaceAll(this.address, SHOWN_ADDRESS)
    } else if (!isShown(shown, this.printed)) {
      throw new Error(`shown:\n${shown}\nprinted:\n${this.printed}`)
    }
  }

  /** Runs a node until the next one, or until it is stopped; answers what it prints first. */
  private async start(command: string): Promise<string> {
    await this.stop()
    const argv = command.replaceAll('\\\n', ' ').trim().split(/\s+/).slice(2)
    const options = [...argv, '--http-server-address=127.0.0.1:0']
    const node = new NodeProcess(options, this.folder, patientProgram())
    this.node = node
    await until('the node is ready', () => {
      if (node.gone) throw new Error(`the node ended: ${node.stderr}`)
      return /listening on[^]*\n$/.test(node.stdout)
    })
    return node.stdout
  }

  private async stop(): Promise<void> {
    const ending = await this.node?.stop()
    if (ending && ending.code !== 0) throw new Error(`the node ended: ${this.node!.stderr}`)
    this.node = undefined
  }

  private run(commands: string): Promise<string> {
    const PATH = `${join(this.folder, '.bin')}:${process.env['PATH']}`
    // What programs print has no colours, wherever this runs.
    const env = { ...process.env, PATH, NO_COLOR: '1', FORCE_COLOR: '0' }
    const argv = ['-euo', 'pipefail', '-c', commands]
    return new Promise((resolve, reject) => {
      execFile('bash', argv, { cwd: this.folder, env }, (error, stdout, stderr) => {
        if (error) reject(new Error(`${commands}\n${stdout}${stderr}`))
        else resolve(stdout)
      })
    })
  }
}

/** `npx` for what a clone has: the program, tsx and mocha. */
function npxScript(): string {
  const require = createRequire(import.meta.url)
  const node = `exec '${process.execPath}'`
  return `#!/bin/sh
program=$1
shift
case $program in
  pronghorn) ${node} '${patientProgram().join("' '")}' "$@" ;;
  tsx) ${node} ${FROM_SOURCES.join(' ')} "$@" ;;
  mocha) ${node} '${require.resolve('mocha/bin/mocha.js')}' "$@" ;;
  *) echo "a clone has no $program" >&2; exit 1 ;;
esac
`
}
