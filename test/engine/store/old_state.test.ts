/** Data folders that were written with the npm package `rocksdb` 5.2.1, before `rocksdb-native`. */
import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Node } from '../../../src/node/node.ts'
import { parseOptions } from '../../../src/options/parse.ts'
import { PACKAGE } from '../../support/test_node.ts'
import { temporaryFolder } from './temporary_folder.ts'

const PACKED = join(import.meta.dirname, '../../fixtures/store/rocksdb-5.2.1.tar.gz')

/** The packed folders and their heads: with rows in tables, which are compressed, and in the log alone. */
const HEADS = {
  tables: '0000000ba84f62786c77e542adc0171738a9829b516edbda0025ecd3c4ccc740',
  log: '000000042423d5409b515d6b97c871149add84ac7c2d4ad076ce0044c91f189b',
}

describe('store: folders of earlier versions', function () {
  this.timeout(240_000)
  const root = temporaryFolder()

  before(() => execFileSync('tar', ['-xzf', PACKED, '-C', root]))

  const start = (folder: string, ...argv: string[]): Promise<Node> => {
    const listen = ['--http-server-address', '127.0.0.1:0', '--p2p-listen-endpoint=']
    const options = ['--data-dir', folder, ...listen, ...argv]
    return Node.start(parseOptions(options), {
      version: '1.2.3',
      package_folder: PACKAGE,
      log: () => undefined,
    })
  }

  for (const [name, head] of Object.entries(HEADS)) {
    it(`rows in the ${name}: a start says how the state is made again, and that works`, async () => {
      const folder = join(root, name)
      const message = await start(folder).then(
        () => 'it started',
        (error: Error) => error.message,
      )
      expect(message).equal(
        `the state in ${join(folder, 'state')} was written by an earlier version of pronghorn: ` +
          'start once with --replay-blockchain, and with --snapshot if the blocks do not begin with block 1',
      )
      const node = await start(folder, '--replay-blockchain', '--pause-on-startup')
      expect(node.engine.chain.head.key).equal(head)
      await node.stop()
    })
  }
})
