import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { argumentsOfThread } from '../../src/engine/start_thread.ts'
import { temporaryFolder } from '../support/node_process.ts'

const PROGRAM = `
  import { Worker } from 'node:worker_threads'
  const [, file, options] = process.argv
  try {
    new Worker(file, JSON.parse(options))
      .on('error', ({ code }) => console.log(code))
      .on('exit', (code) => console.log('ended with', code))
  } catch ({ code }) {
    console.log(code)
  }`

/** What happens to a thread of a program with these options of Node.js. */
function startedBy(file: string, args: readonly string[], options: object): string {
  const started = spawnSync(process.execPath, [...args, file, JSON.stringify(options)], {
    encoding: 'utf8',
  })
  return started.stdout.trim()
}

describe('starts of threads', () => {
  const folder = temporaryFolder()
  const file = join(folder.path, 'thread.mjs')
  const program = join(folder.path, 'program.mjs')
  const AS_TEXT = ['--max-old-space-size=500', '--input-type=module']
  const AS_FILE = ['--max-old-space-size=500', '--no-warnings']

  before(() => {
    writeFileSync(file, '')
    writeFileSync(program, PROGRAM.replace('const [, file', 'const [, , file'))
  })
  after(() => folder.remove())

  it('work in a program given as text', () => {
    const args = [...AS_TEXT, '--eval', PROGRAM]
    expect(startedBy(file, args, {})).match(/^ERR_INPUT_TYPE_NOT_ALLOWED/)
    expect(startedBy(file, args, argumentsOfThread(AS_TEXT))).equal('ended with 0')
    expect(argumentsOfThread(['--input-type', 'module'])).eql(argumentsOfThread(AS_TEXT))
  })

  it('work in a program with options of V8', () => {
    const args = [...AS_FILE, program]
    expect(startedBy(file, args, { execArgv: AS_FILE })).equal('ERR_WORKER_INVALID_EXEC_ARGV')
    expect(startedBy(file, args, argumentsOfThread(AS_FILE))).equal('ended with 0')
  })
})
