/**
 * The recorded answers of the trace API, asked of a node that applied the same blocks: each must be equal. The slices
 * that it writes must be the recorded ones.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { TRACE_REASONS, reasonFor, type Reason } from '../contract/reasons.ts'
import { HEAD_TIME, REPLAY_RECORDED } from '../contract/recordings/replayed_node.ts'
import { temporaryFolder } from '../engine/store/temporary_folder.ts'
import { contractFiles } from '../support/contracts.ts'
import { recordedFile, recordedTraceAnswers } from '../support/recorded_history.ts'
import { stillClock } from '../support/still_clock.ts'
import { TestNode } from '../support/test_node.ts'

const SLICES = ['trace_', 'trace_index_', 'trace_trx_id_'].map(
  (prefix) => `${prefix}0000000000-0000010000.log`,
)
describe('recorded traces', () => {
  const folder = temporaryFolder()
  let node: TestNode

  before(async () => {
    node = await TestNode.start({
      argv: [...REPLAY_RECORDED, ...abiOptions(folder)],
      folder,
      clock: stillClock(HEAD_TIME),
    })
  })
  after(() => node.stop())

  it('are answered again, except for documented reasons', async () => {
    const differences: string[] = []
    const met = new Set<Reason>()
    const exchanges = recordedTraceAnswers()
    for (const { path, body = '', status, response } of exchanges) {
      const answer = await node.ask(path, body === '' ? {} : { body })
      if (answer.status === status && answer.text === response) continue
      const ours = `${answer.status} ${answer.text}`
      const reason = reasonFor({ path, body }, { ours }, TRACE_REASONS)
      if (reason) met.add(reason)
      else differences.push(`${path} ${body}\n  reference ${status} ${response}\n  ours ${ours}`)
    }
    expect(differences, differences.slice(0, 3).join('\n')).deep.equal([])
    expect(TRACE_REASONS.filter((reason) => !met.has(reason))).deep.equal([])
    expect(exchanges).have.length(780)
    expect(node.faults).deep.equal([])
  })

  it('leave the recorded slices', () => {
    for (const name of SLICES) {
      const ours = readFileSync(join(folder, 'traces', name))
      expect(ours.equals(recordedFile(`files/${name}`)), name).equal(true)
    }
  })
})

/** The ABIs that the reference had, as options. */
function abiOptions(folder: string): string[] {
  return ['eosio.token', 'atomicassets', 'probe'].map((name) => {
    writeFileSync(join(folder, `${name}.abi`), contractFiles(name).abi)
    return `--trace-rpc-abi=${name}=${name}.abi`
  })
}
