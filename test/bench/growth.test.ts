import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { GROWTH_READS, growthQuestions } from '../../bench/support/growth_questions.ts'
import {
  accountName,
  scattered,
  writeGrowthSnapshot,
  writeGrowthTransfers,
  type GrowthChain,
} from '../../bench/support/growth_state.ts'
import { DEVELOPMENT_PRIVATE_KEY, DEVELOPMENT_PUBLIC_KEY } from '../../src/node/development.ts'
import { temporaryFolder } from '../engine/store/temporary_folder.ts'
import { TestNode } from '../support/test_node.ts'

const SIZE = { rows: 40, accounts: 30 }
const folder = temporaryFolder()

/** The lines of a text, read as JSON. */
const bodies = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

describe('the benchmark of growth', () => {
  let chain: GrowthChain
  let node: TestNode

  before(async () => {
    const snapshot = join(folder, 'snapshot.bin')
    chain = await writeGrowthSnapshot(SIZE, snapshot)
    const key = `${DEVELOPMENT_PUBLIC_KEY}=KEY:${DEVELOPMENT_PRIVATE_KEY}`
    const argv = ['--snapshot', snapshot, '-e', '-p', 'eosio', '--signature-provider', key]
    node = await TestNode.start({ argv })
  })

  after(() => node.stop())

  it('gives each number a place and a name of its own', () => {
    const places = Array.from({ length: 1000 }, (_, n) => scattered(n, 1000))
    expect(new Set(places).size).equal(1000)
    expect(new Set(places.map(accountName)).size).equal(1000)
  })

  for (const name of GROWTH_READS) {
    it(`${name}: asks for all rows and accounts`, async () => {
      const count = name.startsWith('get_table_rows') ? SIZE.rows : SIZE.accounts
      const { operation, lines } = growthQuestions(name, SIZE, count)
      const answers = new Set<string>()
      for (const body of bodies(lines)) {
        const answer = await node.chain(operation, body)
        expect(answer.status).equal(200)
        answers.add(answer.text)
      }
      const balances = [`["1000.0000 SYS"]`]
      if (name === 'get_currency_balance') expect([...answers]).deep.equal(balances)
      else expect(answers.size).equal(count)
    })
  }

  it('sends transfers between accounts that each have a balance', async () => {
    const files = writeGrowthTransfers(folder, SIZE, chain, [1, SIZE.accounts])
    const sent = files.map((file) => bodies(readFileSync(file, 'utf8')))
    expect(sent.map((list) => list.length)).deep.equal([1, SIZE.accounts])
    for (const [number, body] of sent.flat().entries()) {
      const { status, text } = await node.chain('send_transaction2', body)
      expect(status, text).equal(202)
      if (number > 0) continue
      expect(await balanceOf(0)).deep.equal(['999.9999 SYS'])
      expect(await balanceOf(11)).deep.equal(['1000.0001 SYS'])
    }
  })

  async function balanceOf(n: number): Promise<unknown> {
    const asked = { code: 'eosio.token', account: accountName(n), symbol: 'SYS' }
    return (await node.chain('get_currency_balance', asked)).body
  }
})
