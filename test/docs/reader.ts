/** A reader who does what a guide says, block by block, in a folder of its own, with the package from npm. */
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NodeProcess, temporaryFolder } from '../support/node_process.ts'
import { until } from '../support/wait.ts'
import { blocksOf, isShown, type Block } from './blocks.ts'
import type { InstalledProject } from './installed_project.ts'

/** The address that guides show; nodes of tests have others. */
const SHOWN_ADDRESS = '127.0.0.1:8888'
/** Commands that go on until they are stopped. */
const NODE = /^npx pronghorn(?! snapshot| init)(?!.*(--help|--print|--version|--extract))/s
const NEW_FOLDER = /^mkdir (\S+) && cd \1 && npm init -y$/
const INSTALL = /^npm i -D (.*)$/

/** What a guide installs, by its lines of `npm i -D`. */
export function installedBy(markdown: string): string[] {
  const lines = joinedLines(markdown).split('\n')
  return lines.flatMap((line) => INSTALL.exec(line)?.[1]!.split(/\s+/) ?? [])
}

/** Lines that end with a backslash are joined to the next one. */
function joinedLines(text: string): string {
  return text.replace(/\\\n\s*/g, ' ')
}

export class Reader {
  private readonly temporary = temporaryFolder()
  private readonly tools = join(this.temporary.path, 'tools')
  private readonly project: InstalledProject
  private folder = this.temporary.path
  private node: NodeProcess | undefined
  /** Whether the node ends without being stopped. */
  private ends_alone = false
  /** What the last commands printed. */
  private printed = ''

  /** @param project what is installed is taken from it, so that npm installs once for all guides */
  constructor(project: InstalledProject) {
    this.project = project
    mkdirSync(this.tools)
    const npx = join(this.tools, 'npx')
    writeFileSync(npx, NPX)
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
    if (language === 'ts' || language === 'js') {
      if (name === undefined) throw new Error('the file has no name')
      const file = join(this.folder, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    } else if (language === 'sh') {
      this.printed = (await this.type(text)).replaceAll(this.address, SHOWN_ADDRESS)
    } else if (!isShown(shown, this.printed)) {
      throw new Error(`shown:\n${shown}\nprinted:\n${this.printed}`)
    }
  }

  /** Runs the commands of a block; a node that it starts last runs on. */
  private async type(text: string): Promise<string> {
    const lines = text.split('\n')
    const first_of_node = lines.findIndex((_, i) => NODE.test(lines.slice(i).join('\n')))
    const is_node = first_of_node >= 0 && !text.endsWith('&') && !/ > \S+ 2>&1 &/.test(text)
    const commands = this.prepared(is_node ? lines.slice(0, first_of_node) : lines)
    const printed = commands.trim() === '' ? '' : await this.run(commands)
    return is_node ? this.start(lines.slice(first_of_node).join('\n')) : printed
  }

  /** Makes folders and installs packages; answers the other lines. */
  private prepared(lines: readonly string[]): string {
    const others = joinedLines(lines.join('\n'))
      .split('\n')
      .filter((line) => {
        const [, name] = NEW_FOLDER.exec(line) ?? []
        const [, packages] = INSTALL.exec(line) ?? []
        if (name !== undefined) this.makeFolder(name)
        if (packages !== undefined) this.install(packages.split(/\s+/))
        return name === undefined && packages === undefined
      })
    return lines.length === others.length ? lines.join('\n') : others.join('\n')
  }

  private makeFolder(name: string): void {
    this.folder = join(this.folder, name)
    mkdirSync(this.folder)
    writeFileSync(join(this.folder, 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
  }

  private install(packages: readonly string[]): void {
    const modules = join(this.project.path, 'node_modules')
    for (const name of packages) {
      if (!existsSync(join(modules, name))) throw new Error(`${name} is not installed`)
    }
    symlinkSync(modules, join(this.folder, 'node_modules'))
  }

  /** Runs a node until the next one, or until it is stopped; answers what it prints first. */
  private async start(command: string): Promise<string> {
    await this.stop()
    const program = join(this.folder, 'node_modules/pronghorn/bin/pronghorn.js')
    const argv = await this.words(command)
    const options = [...argv.slice(2), '--http-server-address=127.0.0.1:0', '--warm-up=false']
    const node = new NodeProcess(options, this.folder, [program])
    this.node = node
    this.ends_alone = argv.includes('--terminate-at-block')
    await until('the node is ready', () => {
      if (node.gone) throw new Error(`the node ended: ${node.stderr}`)
      return /listening on[^]*\n$/.test(node.stdout)
    })
    return node.stdout
  }

  /** The words of a command, as a shell reads them. */
  private async words(command: string): Promise<string[]> {
    const text = await this.run(`printf '%s\\0' ${command}`)
    return text.split('\0').slice(0, -1)
  }

  private async stop(): Promise<void> {
    // A signal to a program that just ends would be its reason.
    const ending = await (this.ends_alone ? this.node?.ended : this.node?.stop())
    if (ending && ending.code !== 0) throw new Error(`the node ended: ${this.node!.stderr}`)
    this.node = undefined
  }

  private run(commands: string): Promise<string> {
    const own_node = dirname(process.execPath)
    const PATH = [this.tools, own_node, process.env['PATH']].join(':')
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

/** `npx` for what is installed, without a registry. */
const NPX = `#!/bin/sh
program=node_modules/.bin/$1
[ -x "$program" ] || { echo "$1 is not installed" >&2; exit 1; }
shift
exec "$program" "$@"
`
