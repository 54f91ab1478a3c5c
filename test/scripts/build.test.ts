import { spawnSync } from 'node:child_process'
import { cpSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { builtProgram, temporaryFolder } from '../support/node_process.ts'
import { PACKAGE } from '../support/test_node.ts'

describe('the build without the packages for development', () => {
  const clone = temporaryFolder()
  after(() => clone.remove())

  before(() => {
    builtProgram()
    for (const name of ['scripts', 'package.json']) {
      cpSync(join(PACKAGE, name), join(clone.path, name), {
        recursive: true,
        preserveTimestamps: true,
      })
    }
    const linked = ['src', 'generated', 'docs', 'openapi', 'dist', 'tsconfig.json']
    for (const name of [...linked, 'tsconfig.build.json']) {
      symlinkSync(join(PACKAGE, name), join(clone.path, name))
    }
  })

  const build = (...options: string[]): string => {
    const argv = [join(clone.path, 'scripts/build.mjs'), ...options]
    const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
    return status === 0 ? 'built' : stderr
  }

  it('accepts what was built before, and says what is missing if it has to be built', () => {
    expect(build('--if-needed')).equal('built')
    expect(build()).include('the package typescript-7 is not installed: run npm install')
    const now = new Date(Date.now() + 60_000)
    utimesSync(join(clone.path, 'package.json'), now, now)
    expect(build('--if-needed')).include('typescript-7 is not installed')
  })
})
