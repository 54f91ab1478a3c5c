/** Time, authorities, deltas and contracts of tests that use the interface of VeRT. */
import {
  PermissionLevel,
  Serializer,
  TimePoint,
  TimePointSec,
  Transaction,
} from '@wharfkit/antelope'
import { expect } from 'chai'
import { Blockchain, expectToThrow, nameToBigInt } from '../../src/vert/index.ts'
import { SAMPLE_ABI, SAMPLE_WASM } from '../in_process/sample_contract.ts'

describe('pronghorn/vert: the blockchain', () => {
  const blockchain = new Blockchain()
  const sample = blockchain.createAccount({ name: 'sample', wasm: SAMPLE_WASM, abi: SAMPLE_ABI })

  const now = async (): Promise<string> => String((await sample.actions.now!([]).read()) as unknown)

  it('begins in 1970, and its time goes forwards and backwards', async () => {
    expect(await now()).equal('0')
    expect(blockchain.blockNum).equal(0)
    blockchain.addBlocks(5)
    expect(await now()).equal('2500000')
    blockchain.addTime(TimePointSec.from(100))
    expect(await now()).equal('102500000')
    expect(blockchain.blockNum).equal(205)
    blockchain.subtractTime(TimePointSec.from(50))
    expect(await now()).equal('52500000')
    expect(blockchain.blockNum).equal(105)
    blockchain.setTime(TimePoint.fromMilliseconds(500))
    expect(await now()).equal('500000')
    expect(() => blockchain.subtractTime(TimePointSec.from(1))).throws(
      'Blockchain time must not go negative',
    )
  })

  it('has what contracts printed, also before a failure', async () => {
    await sample.actions.say!([]).send()
    expect(sample.bc.console).equal('hello from the contract\n')
    await expectToThrow(
      sample.actions.code!([]).send(),
      'eosio_assert_message: eosio_assert_code: 42',
    )
    expect(blockchain.console).equal('hello')
    blockchain.clearConsole()
    expect(blockchain.console).equal('')
  })

  it('answers return values of all actions, or the first one', async () => {
    blockchain.setTime(TimePoint.fromMilliseconds(1000))
    const sent = (await sample.actions.now!([]).send()) as { returnValue: object; action: object }[]
    expect(sent.map(({ action, returnValue }) => [String(action), String(returnValue)])).deep.equal(
      [['now', '1000000']],
    )
    expect(await sample.actions.say!([]).send()).deep.equal([])
    expect(await sample.actions.say!([]).read()).equal(null)
    expect(blockchain.actionTraces).length(1)
  })

  it('executes transactions of several actions as they are', async () => {
    const action = {
      account: sample.name,
      name: 'say',
      authorization: [PermissionLevel.from('sample@active')],
      data: Serializer.encode({ abi: sample.abi!, type: 'nothing', object: {} }).array,
    }
    const header = { expiration: 0, ref_block_num: 0, ref_block_prefix: 0 }
    const transaction = Transaction.from({ ...header, actions: [action, action] })
    await blockchain.applyTransaction(transaction)
    expect(blockchain.console).equal('hello from the contract\n'.repeat(2))
    expect(blockchain.actionTraces.map(({ actionOrdinal }) => actionOrdinal)).deep.equal([0, 1])
    expect(blockchain.actionTraces[0]!.transaction).equal(transaction)
  })

  it('shows rows with their secondary keys, and what a transaction changed', async () => {
    blockchain.resetTables()
    expect(() => blockchain.storageDeltas as unknown).throws('Storage deltas are not enabled')
    blockchain.enableStorageDeltas()
    await sample.actions.rank!([]).send()
    const row = { id: 1, rank: 30 }
    expect(blockchain.getStorage().sample!.ranks!['.']![0]).deep.equal({
      primaryKey: 1n,
      payer: 'sample',
      value: row,
      secondaryIndexes: [{ type: 'idxu64', value: 30n }],
    })
    expect(Object.keys(blockchain.storageDeltas.sample.new)).deep.equal(['ranks'])
    blockchain.disableStorageDeltas()
    expect(sample.tables.ranks!(0n).getTableRows()).length(3)
  })

  it('keeps accounts without contracts apart from contracts', async () => {
    const [plain] = blockchain.createAccounts('plain')
    expect([plain!.isContract, sample.isContract]).deep.equal([false, true])
    expect(plain!.toBigInt()).equal(nameToBigInt('plain'))
    plain!.setContract(SAMPLE_ABI, SAMPLE_WASM)
    await plain!.actions.say!([]).send('sample')
    expect(blockchain.getAccount('plain')!.codeSequence).equal(1)
  })

  it('waits for contracts that are read later', async () => {
    const later = blockchain.createAccount({
      name: 'later',
      wasm: Promise.resolve(SAMPLE_WASM),
      abi: Promise.resolve(JSON.stringify(SAMPLE_ABI)),
    })
    await later.recreateVm()
    await later.actions.say!([]).send()
    expect(blockchain.console).equal('hello from the contract\n')
  })

  it('an account is created again with other permissions', async () => {
    const changed = blockchain.createAccount('changed')
    changed.setPermissions([...changed.permissions.slice(0, 1)])
    await expectToThrow(
      sample.actions.say!([]).send('changed'),
      'Account changed has no permission active',
    )
    blockchain.createAccount('changed')
    await sample.actions.say!([]).send('changed')
  })
})
