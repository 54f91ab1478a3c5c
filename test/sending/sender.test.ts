import { expect } from 'chai'
import { DEVELOPMENT_PRIVATE_KEY } from '../../src/node/development.ts'
import { Sender, type SendingNode } from '../../src/sending/sender.ts'

const NATIVE = {
  account: 'eosio',
  name: 'setabi',
  authorization: [{ actor: 'eosio', permission: 'active' }],
  data: '00',
}

/** A node whose head has this time; the expirations of what it is sent, in milliseconds. */
function nodeAt(head_block_time: string) {
  const expirations: number[] = []
  const node: SendingNode = {
    get_info: async () => ({
      chain_id: '00'.repeat(32),
      head_block_id: '00'.repeat(32),
      head_block_time,
    }),
    get_raw_abi: async () => ({ abi: '' }),
    send_transaction2: async ({ transaction }) => {
      const { packed_trx } = transaction as { packed_trx: string }
      expirations.push(Buffer.from(packed_trx, 'hex').readUInt32LE() * 1000)
      return { transaction_id: '', processed: {} } as never
    },
  }
  return { node, expirations }
}

describe('sending transactions', () => {
  it('they expire after the next block also where the head is old, as that of a fork is', async () => {
    const { node, expirations } = nodeAt('2020-01-01T00:00:00.000')
    const before = Date.now()
    await new Sender(node).send([NATIVE], [DEVELOPMENT_PRIVATE_KEY])
    expect(expirations[0]).within(before + 58_000, before + 3_600_000)
  })

  it('they expire after the head of a chain whose time runs ahead', async () => {
    const { node, expirations } = nodeAt('2099-01-01T00:00:00.000')
    await new Sender(node).send([NATIVE], [DEVELOPMENT_PRIVATE_KEY])
    expect(expirations[0]).equal(Date.parse('2099-01-01T00:01:00.000Z'))
  })
})
