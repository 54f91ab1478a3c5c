/** The end of threads: the process that waits for it neither ends before it, nor is ended by it. */
import { expect } from 'chai'
import { Worker } from 'node:worker_threads'
import { BlockKeyThreads } from '../../../src/engine/crypto/block_key_threads.ts'
import { RecoveryPool } from '../../../src/engine/crypto/recovery_pool.ts'
import { SigningThread } from '../../../src/engine/crypto/signing_thread.ts'
import { NodeProcess } from '../../support/node_process.ts'
import { FROM_SOURCES } from '../../support/from_sources.ts'

const SOURCES = new URL('../../../src/engine/', import.meta.url).href

/** Runs a program in a process of its own; returns what it printed, and how it ended. */
async function run(program: string): Promise<{ stdout: string; code: number | null }> {
  const argv = [...FROM_SOURCES, '--input-type=module', '--eval']
  const child = new NodeProcess([program], undefined, argv)
  const { code } = await child.ended
  expect(child.stderr).equal('')
  return { stdout: child.stdout, code }
}

describe('the end of threads', () => {
  it('is waited for where a start of the recovery pool is still waited for', async () => {
    const ending = await run(`
      import { RecoveryPool } from '${SOURCES}crypto/recovery_pool.ts'
      const pool = new RecoveryPool(2)
      await pool.start()
      void pool.start()
      await pool.close()
      console.log('closed')`)
    expect(ending).deep.equal({ stdout: 'closed\n', code: 0 })
  })

  it('is waited for where a start of the preparing thread is still waited for', async () => {
    const ending = await run(`
      import { PreparerThread } from '${SOURCES}vm/preparation/preparer_thread.ts'
      const preparer = new PreparerThread({ folder: undefined, log: () => {} })
      void preparer.started()
      await preparer.close()
      console.log('closed')`)
    expect(ending).deep.equal({ stdout: 'closed\n', code: 0 })
  })

  it('is their own where they run native code: a terminated one may end the process', async () => {
    const { terminate } = Worker.prototype
    Worker.prototype.terminate = () => expect.fail('a thread is terminated')
    try {
      const pool = new RecoveryPool(1)
      void pool.start()
      await pool.close()
      const of_blocks = new BlockKeyThreads(1)
      of_blocks.start()
      await of_blocks.close()
      await new SigningThread().close()
    } finally {
      Worker.prototype.terminate = terminate
    }
  })
})
