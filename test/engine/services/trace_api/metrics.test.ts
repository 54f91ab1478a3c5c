import { appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { metricsText } from '../../../../src/engine/services/metrics/metrics_text.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { folderBytes } from '../support/folder_bytes.ts'
import { Traced } from './traced_chain.ts'

describe('trace API: metrics', () => {
  it('have the bytes of all slices, compressed or not', async () => {
    const folder = temporaryFolder()
    const traced = await Traced.open(folder)
    const told: number[] = []
    for (const count of [2, 18]) {
      await traced.produce(count)
      const bytes = folderBytes(folder)
      const text = metricsText(traced.api.metrics())
      expect(text).include(`pronghorn_trace_api_bytes ${bytes}\n`)
      told.push(bytes)
    }
    expect(told[0]).greaterThan(100)
    expect(told[1]).greaterThan(told[0]!)
    expect(readdirSync(folder).some((file) => file.endsWith('.clog'))).equal(true)
    await traced.close()
    const again = await Traced.open(folder)
    expect(again.api.files()).deep.equal([{ name: 'trace_api', bytes: folderBytes(folder) }])
    await again.close()
  })

  it('do not count the incomplete end of a slice that is cut off', async () => {
    const folder = temporaryFolder()
    const traced = await Traced.open(folder)
    await traced.produce(2)
    await traced.close()
    for (const file of readdirSync(folder)) appendFileSync(join(folder, file), 'x')
    const again = await Traced.open(folder)
    await again.produce(2)
    expect(again.api.files()).deep.equal([{ name: 'trace_api', bytes: folderBytes(folder) }])
    await again.close()
  })
})
