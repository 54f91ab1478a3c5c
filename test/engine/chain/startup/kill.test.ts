import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { N } from '../../../../src/engine/protocol/name.ts'
import { RocksStore } from '../../../../src/engine/store/rocks_store.ts'
import { TestChain } from '../support/test_chain.ts'
import { FROM_SOURCES } from '../../../support/from_sources.ts'

const NODE = fileURLToPath(new URL('../support/killed_node.ts', import.meta.url))

/** Lets a process make blocks in a folder and kills it once it told some; answers what it told. */
async function runAndKill(folder: string, lines: number): Promise<string[][]> {
  const child = spawn(process.execPath, [...FROM_SOURCES, NODE, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const told: string[][] = []
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line.split(' '))
    if (told.length === lines) child.kill('SIGKILL')
  }
  await ended
  return told
}

describe('a process that is killed', function () {
  it('loses no announced block', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kill-'))
    try {
      for (const lines of [1, 30, 7, 60]) {
        const told = await runAndKill(folder, lines)
        expect(told.length).to.be.at.least(lines)
        const store = await RocksStore.open(join(folder, 'state'))
        const test = await TestChain.open({ blocks_dir: join(folder, 'blocks') }, store)
        for (const [num, key, irreversible] of told) {
          const id = Buffer.from(key!, 'hex')
          expect(test.chain.blockById(id), `block ${num}`).to.not.equal(undefined)
          expect(Buffer.from(test.chain.blockIdByNumber(Number(num))!).toString('hex')).to.equal(
            key,
          )
          expect(test.chain.blockById(Buffer.from(irreversible!, 'hex'))).to.not.equal(undefined)
        }
        const head = test.head.block_num
        expect(test.chain.last_irreversible.block_num).to.equal(head - 1)
        // Every block made one account.
        expect(test.chain.db.account.size).to.equal(3 + head - 1)
        expect(test.chain.db.account.find('by_name', N('eosio'))).to.not.equal(undefined)
        await test.chain.close()
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
