/** What a machine lacks is told in one line: another Node.js, a package with native code that loads. */
import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { builtProgram, NodeProcess, temporaryFolder } from '../support/node_process.ts'
import { until } from '../support/wait.ts'

const LIBATOMIC = 'libatomic.so.1: cannot open shared object file: No such file or directory'

/** An argument for node: runs the code before the program, in each thread. */
const before = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`

/** Has every native module whose path has this in it fail to load. */
const failing = (path: string, reason: string) =>
  before(`
    const { dlopen } = process
    process.dlopen = (module, file, ...rest) => {
      if (file.includes(${JSON.stringify(path)})) throw new Error(${JSON.stringify(reason)})
      return dlopen.call(process, module, file, ...rest)
    }`)

describe('node: conditions of a start', function () {
  this.timeout(240_000)

  describe('versions of Node.js', () => {
    const started = (version: string) => {
      const set = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
      const args = [before(set), ...builtProgram(), '--version']
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      return { status, stdout, stderr }
    }

    for (const version of ['12.22.0', '18.20.8', '20.18.3', '21.7.3', '22.11.0']) {
      it(`${version} is refused, in one line`, () => {
        const stderr = `pronghorn: Node.js ${version} cannot run it: version 20.19, 22.12 or later is needed\n`
        expect(started(version)).deep.equal({ status: 1, stdout: '', stderr })
      })
    }

    for (const version of ['20.19.0', '22.12.0', '23.0.0', '24.0.0', '26.0.0', '30.0.0']) {
      it(`${version} is not refused`, () => expect(started(version).stderr).not.match(/is needed/))
    }
  })

  describe('packages with native code', () => {
    const folder = temporaryFolder()
    after(() => folder.remove())
    const options = ['--data-dir', folder.path, '--http-server-address', '127.0.0.1:0']
    const program = (path: string, reason: string) => [failing(path, reason), ...builtProgram()]

    it('without RocksDB the node does not start, and reports the missing package', async () => {
      const cases: [string, RegExp][] = [
        [LIBATOMIC, /install libatomic \(on Debian and Ubuntu: apt-get install libatomic1\)$/],
        ["version `GLIBC_2.34' not found", /it needs a newer C library \(glibc 2.34: .*\)$/],
        [
          'invalid ELF header',
          /install the packages of pronghorn again on this system \(npm ci\)$/,
        ],
      ]
      for (const [reason, advice] of cases) {
        const node = new NodeProcess(options, undefined, program('rocksdb-native', reason))
        expect(await node.ended).deep.equal({ code: 1, signal: null })
        const [line, ...more] = node.stderr.trimEnd().split('\n')
        expect(more, node.stderr).deep.equal([])
        expect(line).match(/^pronghorn: the npm package rocksdb-native cannot be loaded \(/)
        expect(line).include(reason).match(advice)
      }
    })

    it('without secp256k1 the node starts, and its log says why it is slow', async () => {
      const node = new NodeProcess(options, undefined, program('secp256k1', 'invalid ELF header'))
      try {
        await until('the log says it', () => node.gone || node.stderr.includes('K1 signatures'))
        expect(node.stderr).match(
          /warn +K1 signatures are recovered in JavaScript, slowly: the npm package secp256k1 cannot be loaded \(.*\): invalid ELF header; install/,
        )
      } finally {
        await node.kill()
      }
    })
  })
})
