import { expect } from 'chai'
import { privateKeyFromString } from '../../../../src/engine/crypto/keys.ts'
import { fromHex } from '../../../../src/engine/protocol/hex.ts'
import { SECOND_US, TestProducer, nothing } from '../support/test_producer.ts'

const WAX = '1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aea5a4'
const UNKNOWN_CHAIN = '11'.repeat(32)
const OTHER_KEY = privateKeyFromString('5JS9bTWMc52HWmMC8v58hdfePTxPV5dd5fcxq92xUzbfmafeeRo')

describe('a signature for another chain', () => {
  let test: TestProducer
  before(async () => {
    test = await TestProducer.start()
    await test.produce()
  })
  after(() => test.stop())

  /** What the log says of a transaction that is signed so, after it is refused. */
  async function logged(how: Parameters<TestProducer['sign']>[1]): Promise<string[]> {
    test.log.length = 0
    const { error } = await test.submit(test.sign([nothing()], how))
    expect(error?.errorName).to.equal('unsatisfied_authorization')
    return test.log.filter((line) => line.includes('was signed for another chain'))
  }

  it('is named in the log, once a second at most', async () => {
    const how = { chain_id: fromHex(WAX) }
    const [line, ...more] = await logged(how)
    expect(line).to.match(/^info transaction [0-9a-f]{64} was signed for another chain: WAX$/)
    expect(more).to.deep.equal([])
    expect(await logged(how)).to.deep.equal([])
    await test.clock.pass(SECOND_US)
    expect(await logged(how)).to.have.length(1)
  })

  it('is not claimed of a wrong key, nor of a chain that is not known', async () => {
    await test.clock.pass(SECOND_US)
    expect(await logged({ secrets: [OTHER_KEY] })).to.deep.equal([])
    await test.clock.pass(SECOND_US)
    expect(await logged({ chain_id: fromHex(UNKNOWN_CHAIN) })).to.deep.equal([])
    await test.clock.pass(SECOND_US)
    expect(await logged({ secrets: [] })).to.deep.equal([])
  })
})
