/** Inline actions, notifications and authorities of contracts, and the host functions that are VeRT's. */
import { Checksum256, PermissionLevel, Serializer } from '@wharfkit/antelope'
import { expect } from 'chai'
import { FEATURE_SPECS } from '../../src/engine/protocol/features.ts'
import {
  Blockchain,
  addInlinePermission,
  expectToThrow,
  nameToBigInt,
} from '../../src/vert/index.ts'
import { RELAY_ABI, RELAY_WASM } from './relay_contract.ts'

describe('pronghorn/vert: actions of contracts', () => {
  const blockchain = new Blockchain()
  const contract = (name: string, options = {}) =>
    blockchain.createAccount({ name, wasm: RELAY_WASM, abi: RELAY_ABI, ...options })
  const sender = contract('sender', { enableInline: true })
  const weak = contract('weak')
  const strong = contract('strong', { privileged: true })
  const target = contract('target')
  blockchain.createAccounts('alice', 'bob')

  /** An inline action that asks the authority of an account. */
  const inline = (by: string, account = 'target', asked = by.split('@')[0]!) => ({
    account,
    name: 'auth',
    authorization: [PermissionLevel.from(by)],
    data: Serializer.encode({ abi: RELAY_ABI, type: 'auth', object: { account: asked } }),
  })
  const traces = (): unknown[][] =>
    blockchain.actionTraces.map((trace) => [
      ...[String(trace.receiver.name), String(trace.action), String(trace.sender)],
      ...[trace.actionOrdinal, trace.executionOrder, trace.isInline, trace.isNotification],
    ])

  it('an inline action needs the permission of its contract', async () => {
    await sender.actions.relay!(inline('sender@active')).send('alice')
    expect(blockchain.console).equal('sendertargetsender')
    await expectToThrow(
      weak.actions.relay!(inline('weak@active')).send(),
      'Permission weak@active is not satisfied by target@eosio.code',
    )
    await expectToThrow(
      sender.actions.relay!(inline('alice@active')).send('alice'),
      'Permission alice@active is not satisfied by target@eosio.code',
    )
    await strong.actions.relay!(inline('alice@active')).send('bob')
  })

  it('is refused where its contract, account or permission is missing', async () => {
    const send = (action: object): Promise<unknown> => sender.actions.relay!(action).send()
    await expectToThrow(
      send(inline('sender@active', 'alice')),
      'Contract alice is missing for inline action',
    )
    await expectToThrow(
      send(inline('sender@active', 'nowhere')),
      'Contract nowhere is missing for inline action',
    )
    await expectToThrow(send(inline('carol@active')), 'Account carol is missing for inline action')
    await expectToThrow(send(inline('bob@voting')), 'Account bob has no permission voting')
    await expectToThrow(
      send(inline('sender@active', 'target', 'bob')),
      'missing required authority bob',
    )
  })

  it('a permission with the code of the contract needs no link to the action', async () => {
    const alice = blockchain.getAccount('alice')!
    const custom = blockchain.createAccount('custom').permissions
    custom[1]!.perm_name = PermissionLevel.from('alice@voting').permission
    custom[1]!.required_auth.accounts[0]!.permission = PermissionLevel.from('sender@eosio.code')
    alice.setPermissions([...alice.permissions, custom[1]!])
    await sender.actions.relay!(inline('alice@voting')).send()
    alice.setPermissions(alice.permissions.slice(0, 2))
    await expectToThrow(
      sender.actions.relay!(inline('alice@voting')).send(),
      'Account alice has no permission voting',
    )
  })

  it('permissions may be changed in place', async () => {
    addInlinePermission(weak.name, weak.permissions)
    await weak.actions.relay!(inline('weak@active')).send()
  })

  it('traces have inline actions and notifications in the order of their execution', async () => {
    await sender.actions.relay!(inline('sender@active')).send('alice')
    expect(traces()).deep.equal([
      ['sender', 'relay', '', 0, 0, false, false],
      ['target', 'auth', 'sender', 1, 1, true, false],
    ])
    const [first, second] = blockchain.actionTraces
    expect(first!.actionsQueue).deep.equal([second])
    expect(String((second!.decodedData as { account: unknown }).account)).equal('sender')
    expect(blockchain.executionTraces[1]).deep.include({ isInline: true, executionOrder: 1 })

    await sender.actions.notify!(['target']).send()
    expect(traces()).deep.equal([
      ['sender', 'notify', '', 0, 0, false, false],
      ['target', 'notify', '', 0, 1, false, true],
    ])
    expect(blockchain.actionTraces[1]!.authorization).deep.equal([])
    // Accounts without a contract are not in the traces.
    await sender.actions.notify!(['bob']).send()
    expect(traces()).length(1)
    await expectToThrow(
      sender.actions.notify!(['nowhere']).send(),
      'Account nowhere missing for require_recipient',
    )
  })

  it('an inline action that the ABI of its contract does not have is left out', async () => {
    const other = { ...inline('sender@active'), name: 'other' }
    await sender.actions.relay!(other).send()
    expect(traces()).length(1)
    // It is checked that the contract exists.
    await expectToThrow(
      sender.actions.relay!({ ...other, account: 'alice' }).send(),
      'Contract alice is missing for inline action',
    )
  })

  it('any account pays for the RAM of rows, also one that does not exist', async () => {
    for (const payer of ['alice', 'nowhere']) {
      await target.actions.store!([payer]).send('bob')
      expect(target.tables.rows!().getTableRow(nameToBigInt(payer))).deep.equal({ account: payer })
    }
    blockchain.enableStorageDeltas()
    await target.actions.store!(['bob']).send('alice')
    blockchain.disableStorageDeltas()
    const row = blockchain.getStorage().target!.rows!.target!.find(({ payer }) => payer === 'bob')
    expect(row!.value).deep.equal({ account: 'bob' })
    blockchain.resetTables()
    expect(target.tables.rows!().getTableRows()).deep.equal([])
  })

  it('functions that proton-tsc and AssemblyScript import otherwise are there', async () => {
    const hash = await target.actions.hash!(['target']).read()
    expect(String(hash.code_hash)).equal(String(Checksum256.hash(RELAY_WASM)))
    expect(Number(hash.code_sequence)).equal(1)
    await expectToThrow(target.actions.fail!([]).send(), 'abort')
    expect(Number(await target.actions.power!([3]).read())).equal(0)
    expect(Number(await target.actions.power!([0]).read())).equal(-1)
  })

  it('features are active by their digests and those of their descriptions', async () => {
    const isActive = async (digest: string): Promise<number> =>
      Number(await target.actions.feature!([digest]).read())
    const { description_digest } = FEATURE_SPECS[0]!
    expect(await isActive(description_digest)).equal(1)
    expect(await isActive('00'.repeat(32))).equal(0)
    blockchain.protocolFeatures = []
    expect(await isActive(description_digest)).equal(0)
  })

  it('code that cannot run fails when it runs, not before', async () => {
    const empty = contract('empty', { wasm: Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0) })
    await sender.actions.auth!(['sender']).send()
    await expectToThrow(
      empty.actions.fail!([]).send(),
      'eos-vm system failure: unexpected argument type',
    )
  })
})
