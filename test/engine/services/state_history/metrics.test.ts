import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { HistoryLog } from '../../../../src/engine/services/state_history/history_log.ts'
import { metricsText } from '../../../../src/engine/services/metrics/metrics_text.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { folderBytes } from '../support/folder_bytes.ts'
import { ChainWithHistory } from './chain_with_history.ts'
import { ShipReader } from './ship_reader.ts'

const LOGS = ['trace_history', 'chain_state_history', 'finality_data_history']

describe('state history: metrics', () => {
  it('have the bytes of each log, of its index and of its split files, and the readers', async () => {
    const root = temporaryFolder()
    const folder = join(root, 'state-history')
    const retained_dir = join(folder, 'retained')
    const split = { stride: 3, max_retained_files: 9, retained_dir }
    const scene = await ChainWithHistory.open(root, undefined, { split })
    try {
      let text = metricsText(scene.history.metrics())
      expect(text).include('pronghorn_state_history_readers 0\n')
      for (const count of [2, 5]) {
        scene.test.produce(count)
        text = metricsText(scene.history.metrics())
        for (const log of LOGS) {
          const bytes = folderBytes(folder, log) + folderBytes(retained_dir, log)
          expect(text).include(`pronghorn_state_history_bytes{log="${log}"} ${bytes}\n`)
          if (log !== 'finality_data_history') expect(bytes).greaterThan(100)
        }
      }
      expect(readdirSync(retained_dir)).include('trace_history-2-3.log')
      const reader = await ShipReader.connect(scene.url)
      text = metricsText(scene.history.metrics())
      expect(text).include('pronghorn_state_history_readers 1\n')
      await reader.close()
    } finally {
      await scene.close()
    }
  })

  it('do not count the space of removed blocks', async () => {
    const stem = join(temporaryFolder(), 'log')
    const log = (): void => undefined
    const idOf = (block_num: number): Uint8Array => {
      const id = Buffer.alloc(32)
      id.writeUInt32BE(block_num)
      return id
    }
    let open = HistoryLog.open(stem, { log })
    for (let n = 2; n <= 11; n++) {
      const payload = new Uint8Array(100_000).fill(n)
      open.append({ id: idOf(n), previous: idOf(n - 1) }, () => [payload])
    }
    expect(open.bytes).equal(statSync(`${stem}.log`).size + statSync(`${stem}.index`).size)
    open.close()
    open = HistoryLog.open(stem, { log, retain_blocks: 3 })
    await open.sync()
    expect(statSync(`${stem}.log`).size).greaterThan(1_000_000)
    expect(open.bytes).within(300_000, 400_000)
    open.close()
  })
})
