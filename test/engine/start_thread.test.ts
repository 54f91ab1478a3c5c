import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { argumentsOfThread } from '../../src/engine/start_thread.ts'
import { temporaryFolder } from '../support/node_process.ts'

const PROGRAM = `
  import { Worker } from 'node:worker_threads'
  const [, file, options] = process.argv
  new Worker(file, { execArgv: JSON.parse(options) })
    .on('error', ({ code }) => console.log(code))
    .on('exit', (code) => console.log('ended with', code))`

/** What a thread prints that a program given as text starts with these options. */
function startedWith(file: string, options: readonly string[]): string {
  const args = ['--input-type=module', '--eval', PROGRAM, file, JSON.stringify(options)]
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.trim()
}

describe('starts of threads', () => {
  it('leave out what a program given as text has, in either form', () => {
    expect(argumentsOfThread(['--no-warnings', '--input-type=module', '--eval', 'x'])).eql([
      '--no-warnings',
      '--eval',
      'x',
    ])
    expect(argumentsOfThread(['--input-type', 'module', '--trace-gc'])).eql(['--trace-gc'])
    expect(argumentsOfThread(['--trace-gc'])).eql(['--trace-gc'])
  })

  it('work in a program given as text', () => {
    const folder = temporaryFolder()
    try {
      const file = join(folder.path, 'thread.mjs')
      writeFileSync(file, '')
      const options = ['--input-type=module']
      expect(startedWith(file, options)).match(/ERR_INPUT_TYPE_NOT_ALLOWED/)
      expect(startedWith(file, argumentsOfThread(options))).equal('ended with 0')
    } finally {
      folder.remove()
    }
  })
})
