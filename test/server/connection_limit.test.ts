/** Clients that open more connections than the process may have files. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { connectionLimit, openFilesLimit } from '../../src/server/connection_limit.ts'
import { ask } from '../support/http.ts'
import { builtProgram, temporaryFolder } from '../support/node_process.ts'
import { until } from '../support/wait.ts'

const FILES = 300

describe('server: connections', () => {
  const folder = temporaryFolder()
  const sockets: Socket[] = []
  let child: ChildProcess
  after(() => {
    for (const socket of sockets) socket.destroy()
    child.kill('SIGKILL')
    folder.remove()
  })

  it('are as many as the operator allows, and leave files for the node', () => {
    expect(connectionLimit(10_000, 1, 65_536)).equal(10_000)
    expect(connectionLimit(10_000, 1, 4096)).equal(3072)
    expect(connectionLimit(10_000, 3, 4096)).equal(1024)
    expect(connectionLimit(10_000, 1, 300)).equal(150)
    expect(connectionLimit(50, 2, 300)).equal(50)
    expect(connectionLimit(10_000, 1, Infinity)).equal(10_000)
    expect(connectionLimit(10_000, 0, 2)).equal(1)
    expect(openFilesLimit()).greaterThan(100)
  })

  it('beyond the limit hinder neither blocks nor votes', async () => {
    const socket = join(folder.path, 'control.sock')
    const options = ['--data-dir', folder.path, '--http-server-address', '127.0.0.1:0']
    const argv = [...builtProgram(), ...options, '--unix-socket-path', socket]
    const limited = `ulimit -n ${FILES} && exec "$@"`
    child = spawn('sh', ['-c', limited, 'sh', process.execPath, ...argv], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    }
    await until('it is ready', () => output.includes('producing for'))
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(output)![1])
    let closed = 0
    for (let i = 0; i < FILES + 50; i++) {
      const client = connect(port, '127.0.0.1')
      client.on('error', () => {})
      client.on('close', () => closed++)
      client.on('connect', () => client.write('POST /v1/chain/get_info HTTP/1.1\r\n'))
      sockets.push(client)
    }
    await until('those beyond the limit are closed', () => closed > FILES / 2)
    const final = async () => {
      const { body } = await ask(`unix:${socket}`, '/v1/chain/get_info')
      return (body as { last_irreversible_block_num: number }).last_irreversible_block_num
    }
    const before = await final()
    await until('blocks become irreversible', async () => (await final()) > before + 2)
    expect(output).not.match(/EMFILE|error/)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).deep.equal([0, null])
  })
})
