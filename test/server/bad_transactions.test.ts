/** Transactions that are wrong in every way: the documented error, nothing changed. */
import { deflateSync } from 'node:zlib'
import {
  Action,
  PackedTransaction,
  PrivateKey,
  Serializer,
  SignedTransaction,
  Transaction,
} from '@wharfkit/antelope'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Answer } from '../support/http.ts'
import { StandingNode } from '../support/standing_node.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

interface Packed {
  signatures: string[]
  compression: unknown
  packed_context_free_data: string
  packed_trx: string
}

const OPERATIONS = ['push_transaction', 'send_transaction', 'send_transaction2'] as const
type Operation = (typeof OPERATIONS)[number]

const STRANGER = PrivateKey.from('5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchuDf')

describe('server: transactions that are wrong', () => {
  let standing: StandingNode
  let chain: WharfkitChain
  before(async () => {
    standing = await StandingNode.start()
    chain = new WharfkitChain(standing.node.url)
    await chain.createAccounts('alice', 'bob')
    await standing.produce()
  })
  after(() => standing.end())

  /** An action that does nothing, by alice's authority. */
  function idle(changes: object = {}): Action {
    return Action.from({
      account: 'bob',
      name: 'idle',
      authorization: [{ actor: 'alice', permission: 'active' }],
      data: '0102',
      ...changes,
    })
  }

  async function transaction(changes: object = {}): Promise<Transaction> {
    const info = await chain.client.v1.chain.get_info()
    return Transaction.from({ ...info.getTransactionHeader(120), actions: [idle()], ...changes })
  }

  async function signatureOf(trx: Transaction, key = chain.key): Promise<string> {
    const { chain_id } = await chain.client.v1.chain.get_info()
    return String(key.signDigest(trx.signingDigest(chain_id)))
  }

  async function packed(trx: Transaction, signatures?: string[]): Promise<Packed> {
    const signed = SignedTransaction.from({
      ...trx,
      signatures: signatures ?? [await signatureOf(trx)],
    })
    const { packed_trx } = PackedTransaction.fromSigned(signed, 0)
    return {
      signatures: signed.signatures.map(String),
      compression: 0,
      packed_context_free_data: '',
      packed_trx: String(packed_trx),
    }
  }

  function submit(operation: Operation, body: unknown): Promise<Answer> {
    const wrapped = { return_failure_trace: false, transaction: body }
    return standing.node.chain(operation, operation === 'send_transaction2' ? wrapped : body)
  }

  /** Submits in every way; checks status, name and what is told, and that nothing changed. */
  async function refused(body: unknown, status: number, name: string, text: RegExp): Promise<void> {
    for (const operation of OPERATIONS) {
      const { fingerprint } = standing
      const answer = await submit(operation, body)
      expect(answer.status, answer.text).equal(status)
      const { error } = answer.body as { error: { name: string; details: { message: string }[] } }
      expect(error.name, answer.text).equal(name)
      expect(error.details[0]!.message).match(text)
      expect(standing.fingerprint, operation).equal(fingerprint)
    }
  }

  it('cut off anywhere', async () => {
    const whole = await packed(await transaction())
    const { fingerprint } = standing
    for (let length = 0; length < whole.packed_trx.length; length += 2) {
      const body = { ...whole, packed_trx: whole.packed_trx.slice(0, length) }
      const answer = await submit('send_transaction', body)
      expect(answer.status, `${length}: ${answer.text}`).oneOf([400, 500])
      expect(answer.body, answer.text).nested.property('error.name')
      // Less than all of it cannot be read, or has no actions.
      expect((answer.body as { error: { code: number } }).error.code).not.equal(0)
    }
    expect(standing.fingerprint).equal(fingerprint)
  })

  it('of odd length, or no hexadecimal digits', async () => {
    const whole = await packed(await transaction())
    for (const packed_trx of [whole.packed_trx.slice(1), `${whole.packed_trx}0`, 'xyz', '0x00']) {
      const answer = await submit('push_transaction', { ...whole, packed_trx })
      expect(answer.status, answer.text).equal(500)
      expect(answer.body).nested.include({ 'error.name': 'packed_transaction_type_exception' })
    }
  })

  it('made of random bytes', async () => {
    const { fingerprint } = standing
    const signature = await signatureOf(await transaction())
    const bytes = fc.uint8Array({ maxLength: 200 })
    await fc.assert(
      fc.asyncProperty(bytes, fc.boolean(), async (some, zipped) => {
        const body = {
          signatures: [signature],
          compression: zipped ? 'zlib' : 'none',
          packed_context_free_data: '',
          packed_trx: Buffer.from(zipped ? deflateSync(some) : some).toString('hex'),
        }
        const answer = await submit('send_transaction', body)
        expect(answer.status).greaterThan(399)
        expect(answer.body).nested.property('error.details').not.deep.equal([])
      }),
      { numRuns: 150 },
    )
    expect(standing.fingerprint).equal(fingerprint)
    expect(standing.node.faults).deep.equal([])
  })

  it('what unzips to far more than it is', async () => {
    const whole = await packed(await transaction())
    const bomb = deflateSync(Buffer.alloc(64 * 2 ** 20)).toString('hex')
    const zipped = { ...whole, compression: 1 }
    await refused(
      { ...zipped, packed_trx: bomb },
      500,
      'tx_decompression_error',
      /^Exceeded maximum/,
    )
    const with_data = {
      ...zipped,
      packed_trx: deflateSync(Buffer.from(whole.packed_trx, 'hex')).toString('hex'),
      packed_context_free_data: bomb,
    }
    await refused(with_data, 500, 'tx_decompression_error', /^Exceeded maximum/)
  })

  it('signatures that are none', async () => {
    const whole = await packed(await transaction())
    const [right] = whole.signatures as [string]
    const wrong = [
      '',
      'SIG_K1_',
      `${right}1`,
      right.slice(0, -1),
      right.replace('K1', 'R1'),
      'SIG_X1_1',
    ]
    for (const signature of wrong) {
      const answer = await submit('push_transaction', { ...whole, signatures: [signature] })
      expect(answer.status, `${signature}: ${answer.text}`).oneOf([400, 500])
      const { error } = answer.body as { error: { name: string } }
      expect(error.name).oneOf(['invalid_http_request', 'packed_transaction_type_exception'])
    }
  })

  it('a signature of another key, or none, or one twice', async () => {
    const trx = await transaction()
    const own = await signatureOf(trx)
    const authority = /^transaction declares authority '\{"actor":"alice","permission":"active"\}'/
    const name = 'unsatisfied_authorization'
    await refused(await packed(trx, [await signatureOf(trx, STRANGER)]), 401, name, authority)
    await refused(await packed(trx, []), 401, name, authority)
    await refused(
      await packed(trx, [own, own]),
      500,
      'tx_duplicate_sig',
      /^transaction includes more than one signature signed using the same key/,
    )
    await refused(
      await packed(trx, [own, await signatureOf(trx, STRANGER)]),
      500,
      'tx_irrelevant_sig',
      /^transaction bears irrelevant signatures from these keys/,
    )
  })

  it('changed after it was signed, or signed for another chain', async () => {
    const trx = await transaction()
    const signature = await signatureOf(trx)
    const changed = await transaction({ actions: [idle({ data: '0103' })] })
    const authority = /^transaction declares authority/
    await refused(await packed(changed, [signature]), 401, 'unsatisfied_authorization', authority)
    const elsewhere = String(chain.key.signDigest(trx.signingDigest('00'.repeat(32))))
    await refused(await packed(trx, [elsewhere]), 401, 'unsatisfied_authorization', authority)
  })

  it('too late, too early, of another fork', async () => {
    await refused(
      await packed(await transaction({ expiration: '2020-01-01T00:00:00' })),
      500,
      'expired_tx_exception',
      /^expired transaction [0-9a-f]{64}, expiration 2020-01-01T00:00:00/,
    )
    await refused(
      await packed(await transaction({ expiration: '2100-01-01T00:00:00' })),
      500,
      'tx_exp_too_far_exception',
      /^Transaction expiration is too far in the future/,
    )
    const { ref_block_prefix } = await transaction()
    await refused(
      await packed(
        await transaction({ ref_block_prefix: (ref_block_prefix.toNumber() ^ 1) >>> 0 }),
      ),
      500,
      'invalid_ref_block_exception',
      /^Transaction's reference block \d+ did not match/,
    )
  })

  it('without actions, without authority, of and by accounts that are not there', async () => {
    await refused(
      await packed(await transaction({ actions: [] })),
      500,
      'tx_no_auths',
      /^transaction must have at least one authorization/,
    )
    await refused(
      await packed(await transaction({ actions: [idle({ authorization: [] })] })),
      500,
      'tx_no_auths',
      /^transaction must have at least one authorization/,
    )
    const strangers: [object, string, RegExp][] = [
      [{ account: 'nobody' }, 'transaction_exception', /^action's code account 'nobody' does not/],
      [
        { authorization: [{ actor: 'nobody', permission: 'active' }] },
        'transaction_exception',
        /^action's authorizing actor 'nobody' does not exist/,
      ],
      [
        { authorization: [{ actor: 'alice', permission: 'nothing' }] },
        'transaction_exception',
        /^action's authorizations include a non-existent permission/,
      ],
    ]
    for (const [changes, name, text] of strangers) {
      await refused(await packed(await transaction({ actions: [idle(changes)] })), 500, name, text)
    }
  })

  it('delayed, or with unknown extensions', async () => {
    const delayed = await packed(await transaction({ delay_sec: 10 }))
    await refused(delayed, 500, 'transaction_exception', /^transaction cannot be delayed/)
    const transaction_extensions = [{ type: 7, data: '00' }]
    const extended = await packed(await transaction({ transaction_extensions }))
    for (const operation of OPERATIONS) {
      const { fingerprint } = standing
      expect((await submit(operation, extended)).status).equal(500)
      expect(standing.fingerprint).equal(fingerprint)
    }
  })

  it('with arguments that the action does not take', async () => {
    const native = idle({ account: 'eosio', name: 'newaccount', data: '00' })
    const answer = await submit(
      'push_transaction',
      await packed(await transaction({ actions: [native] })),
    )
    expect(answer.status, answer.text).equal(500)
    expect(answer.body).nested.property('error.name').not.equal('exception')
  })

  it('bytes after its end are nothing, as in the reference', async () => {
    const trx = await transaction({ actions: [idle({ data: '77' })] })
    const whole = await packed(trx)
    const answer = await submit('send_transaction', {
      ...whole,
      packed_trx: `${whole.packed_trx}00`,
    })
    expect(answer.status, answer.text).equal(202)
    expect(answer.body).include({ transaction_id: String(trx.id) })
  })

  it('the same one twice', async () => {
    const trx = await transaction({ actions: [idle({ data: '55' })] })
    const body = await packed(trx)
    expect((await submit('send_transaction', body)).status).equal(202)
    const again = /^duplicate transaction [0-9a-f]{64}$/
    await refused(body, 409, 'tx_duplicate', again)
    await standing.produce()
    await refused(body, 409, 'tx_duplicate', again)
  })

  it('after all of this a right one goes through', async () => {
    const trx = await transaction({
      actions: [idle({ data: Serializer.encode({ object: 'x', type: 'string' }) })],
    })
    const answer = await submit('send_transaction', await packed(trx))
    expect(answer.status, answer.text).equal(202)
  })
})
