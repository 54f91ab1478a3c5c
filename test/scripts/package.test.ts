/** What an installation of the package has. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { installedPackages } from '../../scripts/audit.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { PACKAGE } from '../support/test_node.ts'

/** The script has no types. */
const { removeOtherBinaries } = (await import(join(PACKAGE, 'bin/remove_other_binaries.js'))) as {
  removeOtherBinaries: (prebuilds: string, system: string) => string[]
}

const execute = promisify(execFile)

interface Lock {
  packages: Record<
    string,
    { version?: string; hasInstallScript?: boolean; dev?: boolean; engines?: { node?: string } }
  >
}
const lock = JSON.parse(readFileSync(join(PACKAGE, 'package-lock.json'), 'utf8')) as Lock

describe('the package', () => {
  it('brings fewer than 40 packages', () => {
    expect(installedPackages(lock)).include('rocksdb-native').length.lessThan(40)
  })

  it('no package, a development package included, needs a newer Node.js than the promised one', () => {
    const ranges = Object.entries(lock.packages).flatMap(([folder, { engines }]) =>
      engines?.node === undefined ? [] : [[folder, engines.node] as const],
    )
    expect(ranges.length).greaterThan(100)
    const offenders = ranges.filter(([, range]) => !admits(range, [20, 19, 0]))
    expect(offenders).deep.equal([])
  })

  it('takes RocksDB for Linux on ARM from npm as it was built, so that no compiler is needed there', async function () {
    this.timeout(120_000)
    const { version, hasInstallScript } = lock.packages['node_modules/rocksdb-native']!
    expect(hasInstallScript).equal(undefined)
    const folder = temporaryFolder()
    try {
      // From npm's cache, where `npm ci` has left it.
      const argv = ['pack', `rocksdb-native@${version}`, '--prefer-offline', '--silent']
      const packed = await execute('npm', argv, { cwd: folder.path }).catch((error: Error) => error)
      if (packed instanceof Error) {
        console.log(`      the package is not here, and npm does not get it: ${packed.message}`)
        return this.skip()
      }
      const file = packed.stdout.trim()
      const { stdout } = await execute('tar', ['-tzf', file], { cwd: folder.path })
      expect(stdout.split('\n')).include('package/prebuilds/linux-arm64/rocksdb-native.node')
    } finally {
      folder.remove()
    }
  })

  it('a range of versions is read', () => {
    expect(admits('>=22.19.0', [20, 19, 0])).equal(false)
    expect(admits('^18.0.0 || ^20.20.0', [20, 19, 0])).equal(false)
    expect(admits('>=18 <20', [20, 19, 0])).equal(false)
    for (const range of ['*', '>= 20', '^20.19.0 || >=24', '>=8.6', '>=18.0.0 <26', '^20 || 22']) {
      expect(admits(range, [20, 19, 0]), range).equal(true)
    }
  })

  it('names every licence of the packages that are in the program', () => {
    const program = join(PACKAGE, 'dist/program')
    const licences = readFileSync(join(program, 'LICENSES.txt'), 'utf8')
    const names = JSON.parse(readFileSync(join(program, 'packages.json'), 'utf8')) as string[]
    expect(names).include.members(['koa', 'ws', '@noble/curves', 'mcl-wasm'])
    for (const name of names) expect(licences).include(`== ${name} `)
  })

  it('deletes the builds of RocksDB for other systems, and nothing where there is none for this one', () => {
    const folder = temporaryFolder()
    try {
      for (const [system, file] of [
        ['linux-x64', 'a.node'],
        ['linux-x64', 'a.bare'],
        ['win32-x64', 'a.node'],
      ] as const) {
        mkdirSync(join(folder.path, system), { recursive: true })
        writeFileSync(join(folder.path, system, file), '')
      }
      expect(removeOtherBinaries(folder.path, 'linux-riscv64')).deep.equal([])
      removeOtherBinaries(folder.path, 'linux-x64')
      const left = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
      expect(left.sort()).deep.equal(['linux-x64', 'linux-x64/a.node'])
      expect(removeOtherBinaries(folder.path, 'linux-x64')).deep.equal([])
    } finally {
      folder.remove()
    }
  })
})

/** Whether a range of npm admits a version; of the forms that packages use. */
function admits(range: string, version: readonly number[]): boolean {
  return range.split('||').some((all) => {
    const conditions = all.trim().replace(/([<>=^~]+)\s+/g, '$1')
    return conditions.split(/\s+/).every((condition) => meets(condition, version))
  })
}

function meets(condition: string, version: readonly number[]): boolean {
  const [, operator = '', text = ''] = /^([<>=^~]*)v?(.*)$/.exec(condition)!
  if (text === '*' || text === '') return true
  const bound = text.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : 0))
  const order = compared(version, bound)
  if (operator === '>=') return order >= 0
  if (operator === '>') return order > 0
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  const shared = operator === '~' ? 2 : operator === '^' ? 1 : text.split('.').length
  const same = bound.slice(0, shared).every((part, i) => part === version[i])
  return same && (operator === '' || operator === '=' || order >= 0)
}

function compared(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < 3; i++) if (a[i] !== (b[i] ?? 0)) return a[i]! - (b[i] ?? 0)
  return 0
}
