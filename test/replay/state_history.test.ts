/**
 * The recorded connections of state history, once more: a node that applied the same blocks must answer with the same
 * messages, byte by byte, and write the same files.
 */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { ABNORMAL, ShipReader } from '../engine/services/state_history/ship_reader.ts'
import { temporaryFolder } from '../engine/store/temporary_folder.ts'
import { HEAD_TIME, REPLAY_RECORDED } from '../contract/recordings/replayed_node.ts'
import {
  recordedConnections,
  recordedFile,
  type RecordedConnection,
} from '../support/recorded_history.ts'
import { stillClock } from '../support/still_clock.ts'
import { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'

const LOGS = ['trace_history', 'chain_state_history', 'finality_data_history']
const STATUS = '00'
const ACK_1 = '0201000000'

describe('recorded state history', () => {
  const folder = temporaryFolder()
  let node: TestNode
  let url: string

  before(async () => {
    node = await TestNode.start({
      argv: [
        ...REPLAY_RECORDED,
        '--trace-history',
        '--chain-state-history',
        '--finality-data-history',
        '--state-history-endpoint=127.0.0.1:0',
      ],
      folder,
      clock: stillClock(HEAD_TIME),
    })
    const [address] = node.engine.services.state_history!.server.addresses
    url = `ws://127.0.0.1:${(address as AddressInfo).port}`
  })
  after(() => node.stop())

  for (const connection of recordedConnections()) {
    it(connection.name, async () => {
      const reader = await ShipReader.connect(url)
      if (connection.closed.code === ABNORMAL) return expectEnd(reader, connection)
      await talk(reader, connection)
      await reader.close()
      const { received } = connection
      if (connection.name.startsWith('two requests')) expectReplaced(reader.received, received)
      // When a status is answered between blocks depends on when its request arrives.
      else if (connection.name.startsWith('status between')) {
        expect(reader.received).have.deep.members(received)
      } else expect(reader.received).deep.equal(received)
    })
  }

  it('leaves the recorded logs and indexes', () => {
    for (const name of LOGS.flatMap((log) => [`${log}.log`, `${log}.index`])) {
      const ours = readFileSync(join(folder, 'state-history', name))
      expect(ours.equals(recordedFile(`files/${name}`)), name).equal(true)
    }
  })
})

/** Sends the requests, and waits for as many answers as are recorded. */
async function talk(
  reader: ShipReader,
  { name, sent, received }: RecordedConnection,
): Promise<void> {
  const each = name.includes('acknowledged each')
  if (each) reader.onMessage = () => reader.send(ACK_1)
  for (const message of each ? sent.slice(0, 1) : sent) reader.send(message)
  if (name.startsWith('two requests')) {
    await until('the last block', () => reader.received.at(-1) === received.at(-1))
    return
  }
  await reader.messages(received.length)
  if (each) return
  // Whatever would come beyond comes before the answer to this.
  reader.send(STATUS)
  await reader.messages(received.length + 1)
  reader.received.pop()
}

async function expectEnd(
  reader: ShipReader,
  { sent, received }: RecordedConnection,
): Promise<void> {
  for (const message of sent) reader.send(message)
  expect(await reader.end()).deep.equal({ code: ABNORMAL })
  expect(reader.received).deep.equal(received)
}

/** Blocks of the second of two requests. */
const LAST_OF_TWO = 4

/** When the second request arrives decides how many blocks of the first one are sent. */
function expectReplaced(ours: unknown[], theirs: unknown[]): void {
  expect(ours.slice(-LAST_OF_TWO)).deep.equal(theirs.slice(-LAST_OF_TWO))
  const first = ours.slice(0, -LAST_OF_TWO)
  expect(first).deep.equal(theirs.slice(0, first.length))
}
