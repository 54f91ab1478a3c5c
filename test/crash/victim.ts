/** The node that is killed: started on its folder again and again. */
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../support/http.ts'
import { NodeProcess } from '../support/node_process.ts'
import { until } from '../support/wait.ts'
import type { StateHash } from './witness.ts'

/** Options of every node: a free port, and no limit that a busy machine would make a matter of luck. */
const OPTIONS = [
  '--p2p-listen-endpoint=',
  '--http-server-address',
  '127.0.0.1:0',
  '--max-transaction-time',
  '10000',
  '--warm-up=false',
]

export class Victim {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Begins to start it; it may be killed at once. */
  spawn(argv: readonly string[] = []): NodeProcess {
    return new NodeProcess(['--data-dir', this.folder, ...OPTIONS, ...argv])
  }

  /** Starts it and waits until it answers; throws what it complains of when it ends instead. */
  async start(argv: readonly string[] = []): Promise<NodeProcess> {
    const node = this.spawn(argv)
    await until('the node is ready', () => {
      if (node.gone) throw new Error(`the node does not start: ${node.stderr}`)
      return node.stdout.includes('producing for')
    })
    return node
  }

  /** Files of snapshots that are not announced; those of a process that was killed are of no use. */
  get leftovers(): string[] {
    const folder = join(this.folder, 'snapshots')
    if (!existsSync(folder)) return []
    const names = readdirSync(folder).filter((name) => /^\.(incomplete|pending)-/.test(name))
    return names.map((name) => join(folder, name))
  }

  /** The state that the block files alone give, by a node that has nothing else. */
  async replayed(folder: string): Promise<StateHash> {
    rmSync(folder, { recursive: true, force: true })
    cpSync(join(this.folder, 'blocks'), join(folder, 'blocks'), { recursive: true })
    const other = new Victim(folder)
    const node = await other.start(['--producer-name', 'nobody'])
    const hash = await stateHash(node)
    await node.kill()
    rmSync(folder, { recursive: true })
    return hash
  }
}

export async function stateHash(node: NodeProcess): Promise<StateHash> {
  const { body } = await ask(node.url, '/v1/producer/get_integrity_hash')
  return body as StateHash
}

/** Kills a node after a while; false when it had ended before. */
export async function killAfter(node: NodeProcess, milliseconds: number): Promise<boolean> {
  await Promise.race([sleep(milliseconds), node.ended])
  return (await node.kill()).signal === 'SIGKILL'
}
