import { expect } from 'chai'
import fc from 'fast-check'
import { Serializer, Transaction as ClientTransaction } from '@wharfkit/antelope'
import { deflateSync } from 'node:zlib'
import type { ChainError } from '../../../src/engine/errors.ts'
import { concatBytes, fromHex, toHex } from '../../../src/engine/protocol/hex.ts'
import type { PackedTransaction } from '../../../src/engine/protocol/packed_transaction.ts'
import {
  COMPRESSION_NONE,
  COMPRESSION_ZLIB,
  makePackedTransaction,
  MAX_DECOMPRESSED_SIZE,
  openPackedTransaction,
  packPackedTransaction,
  prunableSize,
  unpackPackedTransaction,
} from '../../../src/engine/protocol/packed_transaction.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import type { Transaction } from '../../../src/engine/protocol/transaction.ts'
import {
  extractTransactionExtensions,
  firstAuthorizer,
  packDeferredGenerationContext,
  packTransaction,
  refBlockOf,
  unpackTransaction,
} from '../../../src/engine/protocol/transaction.ts'
import { packOne } from '../../../src/engine/protocol/writer.ts'
import { refusal, refusalOf } from '../refusal.ts'
import { bytes, packedTransaction, transaction } from './arbitrary.ts'

const EMPTY: Transaction = {
  expiration: 0,
  ref_block_num: 0,
  ref_block_prefix: 0,
  max_net_usage_words: 0,
  max_cpu_usage_ms: 0,
  delay_sec: 0,
  context_free_actions: [],
  actions: [],
  transaction_extensions: [],
}

const packed = (fields: Partial<PackedTransaction>): PackedTransaction => ({
  signatures: [],
  compression: COMPRESSION_NONE,
  packed_context_free_data: new Uint8Array(0),
  packed_trx: new Uint8Array(0),
  ...fields,
})

describe('transactions', () => {
  it('give the same fields from their bytes', () => {
    fc.assert(
      fc.property(transaction, (trx) => {
        expect(unpackTransaction(new Reader(packOne(packTransaction, trx)))).to.deep.equal(trx)
      }),
    )
  })

  it('have the bytes of a client library', () => {
    fc.assert(
      fc.property(transaction, (trx) => {
        const data = packOne(packTransaction, trx)
        const client = Serializer.decode({ data, type: ClientTransaction })
        expect(client.expiration.value.toNumber()).to.equal(trx.expiration)
        expect(client.actions.length).to.equal(trx.actions.length)
        expect(Serializer.encode({ object: client }).hexString).to.equal(toHex(data))
      }),
    )
  })

  it('refer to a block by number and a part of its id', () => {
    const id = fromHex('0001000211111111aabbccdd22222222'.padEnd(64, '0'))
    expect(refBlockOf(id)).to.deep.equal({ ref_block_num: 2, ref_block_prefix: 0xddccbbaa })
  })

  it('are paid by their first authorizer', () => {
    const action = { account: 1n, name: 1n, data: new Uint8Array(0) }
    const authorization = [{ actor: 5n, permission: 6n }]
    const actions = [
      { ...action, authorization: [] },
      { ...action, authorization },
    ]
    expect(firstAuthorizer({ ...EMPTY, actions })).to.equal(5n)
    expect(firstAuthorizer(EMPTY)).to.equal(0n)
  })
})

describe('transaction extensions', () => {
  const context = {
    sender_trx_id: new Uint8Array(32).fill(1),
    sender_id: 1n << 100n,
    sender: 7n,
  }
  const content = packOne(packDeferredGenerationContext, context)
  const extract =
    (...transaction_extensions: [number, Uint8Array][]) =>
    () =>
      extractTransactionExtensions({ ...EMPTY, transaction_extensions })

  it('hold the context of a deferred transaction', () => {
    expect(extract()()).to.deep.equal({})
    expect(extract([0, content])()).to.deep.equal({ deferred_generation_context: context })
  })

  it('are refused when unknown, repeated, unordered or ill formed', () => {
    expect(refusalOf(extract([1, content])).message).to.equal(
      'Transaction extension with id type 1 is not supported',
    )
    expect(refusalOf(extract([0, content], [0, content])).message).to.equal(
      'Transaction extension with id type 0 is not allowed to repeat',
    )
    for (const refused of [extract([1, content]), extract([0, content], [0, content])]) {
      expect(refusal(refused)).to.equal('invalid_transaction_extension')
    }
    const nobody = packOne(packDeferredGenerationContext, { ...context, sender: 0n })
    expect(refusal(extract([0, nobody]))).to.equal(
      'ill_formed_deferred_transaction_generation_context',
    )
    expect(refusal(extract([0, content.subarray(1)]))).to.equal('out_of_range_exception')
  })

  it('names the part of an extension that is wrong, as the reference does', () => {
    const story = (length: number): string[] => {
      const transaction_extensions: Transaction['transaction_extensions'] = [
        [0, new Uint8Array(length)],
      ]
      try {
        extractTransactionExtensions({ ...EMPTY, transaction_extensions })
      } catch (error) {
        return (error as ChainError).details.map(({ message }) => message)
      }
      return []
    }
    const type = 'error unpacking eosio::chain::deferred_transaction_generation_context'
    expect(story(40)).to.deep.equal([
      'read datastream of length 40 over by -7',
      'error unpacking uint128_t',
      'Error unpacking field sender_id',
      type,
      type,
    ])
    expect(story(48).slice(1)).to.deep.equal([
      'error unpacking uint64_t',
      'Error unpacking field value',
      'error unpacking eosio::chain::name',
      'Error unpacking field sender',
      type,
      type,
    ])
    expect(story(56)).to.deep.equal([
      'Deferred transaction generation context extension must have a non-empty sender account',
      type,
      type,
    ])
  })
})

describe('packed transactions', () => {
  it('give the same fields from their bytes', () => {
    fc.assert(
      fc.property(packedTransaction, (value) => {
        const r = new Reader(packOne(packPackedTransaction, value))
        expect(unpackPackedTransaction(r)).to.deep.equal(value)
      }),
    )
  })

  it('open to the packed transaction, compressed or not', () => {
    fc.assert(
      fc.property(
        transaction,
        fc.array(bytes, { maxLength: 3 }),
        fc.constantFrom(COMPRESSION_NONE, COMPRESSION_ZLIB),
        (trx, cfd, compression) => {
          const opened = openPackedTransaction(makePackedTransaction(trx, [], cfd, compression))
          expect(opened.trx).to.deep.equal(trx)
          expect(opened.context_free_data.list()).to.deep.equal(cfd)
          expect(toHex(opened.trx_bytes)).to.equal(toHex(packOne(packTransaction, trx)))
        },
      ),
    )
  })

  it('cover the shortest form of a transaction, without what follows it', () => {
    const shortest = packOne(packTransaction, EMPTY)
    const open = (packed_trx: Uint8Array): string =>
      toHex(openPackedTransaction(packed({ packed_trx })).trx_bytes)
    expect(open(concatBytes(shortest, Uint8Array.of(1, 2)))).to.equal(toHex(shortest))
    // The net limit as two bytes instead of one.
    const longer = concatBytes(shortest.subarray(0, 10), fromHex('8000'), shortest.subarray(11))
    expect(open(longer)).to.equal(toHex(shortest))
  })

  it('are refused when truncated', () => {
    const bytes = packOne(packTransaction, EMPTY)
    for (let length = 0; length < bytes.length; length++) {
      const open = (): unknown =>
        openPackedTransaction(packed({ packed_trx: bytes.subarray(0, length) }))
      expect(refusal(open)).to.equal('out_of_range_exception')
    }
  })

  it('are refused when their compression is unknown', () => {
    expect(refusalOf(() => openPackedTransaction(packed({ compression: 2 })))).to.include({
      errorName: 'unknown_transaction_compression',
      message: 'Unknown transaction compression algorithm',
    })
    expect(refusal(() => makePackedTransaction(EMPTY, [], [], 2))).to.equal(
      'unknown_transaction_compression',
    )
  })

  it('are refused when they decompress to more than the limit, or not at all', () => {
    const zlib = (packed_trx: Uint8Array) => (): unknown =>
      openPackedTransaction(packed({ compression: COMPRESSION_ZLIB, packed_trx }))
    const bomb = deflateSync(new Uint8Array(MAX_DECOMPRESSED_SIZE + 1))
    expect(refusalOf(zlib(bomb))).to.include({
      errorName: 'tx_decompression_error',
      message: 'Exceeded maximum decompressed transaction size',
    })
    const good = deflateSync(packOne(packTransaction, EMPTY))
    expect(refusalOf(zlib(good.subarray(0, good.length - 1)))).to.include({
      errorName: 'exception',
      message: 'internal decompression error',
    })
    for (const bad of [new Uint8Array(0), Uint8Array.of(1, 2, 3), good.subarray(0, 5)]) {
      expect(refusal(zlib(bad))).to.equal('exception')
    }
    zlib(concatBytes(good, Uint8Array.of(1, 2, 3)))()
    const most = new Uint8Array(MAX_DECOMPRESSED_SIZE)
    zlib(deflateSync(most))()
  })

  it('bound what context free data may say', () => {
    const cfd = (packed_context_free_data: Uint8Array, compression: number) => (): unknown =>
      openPackedTransaction(
        packed({
          packed_context_free_data,
          compression,
          packed_trx: makePackedTransaction(EMPTY, [], [], compression).packed_trx,
        }),
      )
    const bomb = deflateSync(new Uint8Array(MAX_DECOMPRESSED_SIZE + 1))
    expect(refusal(cfd(bomb, COMPRESSION_ZLIB))).to.equal('tx_decompression_error')
    expect(refusal(cfd(fromHex('ff'), COMPRESSION_NONE))).to.equal('out_of_range_exception')
  })

  it('take no memory for the items of context free data before one is asked for', () => {
    const count = 500_000
    const list = concatBytes(fromHex('a0c21e'), new Uint8Array(count * 2).fill(1))
    const packed_context_free_data = deflateSync(list)
    const { packed_trx } = makePackedTransaction(EMPTY, [], [], COMPRESSION_ZLIB)
    const bomb = packed({ packed_context_free_data, packed_trx, compression: COMPRESSION_ZLIB })
    expect(packed_context_free_data.length).to.be.lessThan(2000)
    const { context_free_data } = openPackedTransaction(bomb)
    expect(context_free_data.length).to.equal(count)
    const kept = Object.values(context_free_data).map((value: unknown) =>
      value instanceof Uint8Array ? value.length : value,
    )
    expect(kept).to.deep.equal([list.length, count, undefined])
    expect(context_free_data.at(count - 1)).to.deep.equal(Uint8Array.of(1))
    expect(context_free_data.at(count)).to.equal(undefined)
  })

  it('have a bounded number of extensions', () => {
    const open = (count: number): unknown => {
      const trx = { ...EMPTY, transaction_extensions: Array(count).fill([0, new Uint8Array(0)]) }
      return openPackedTransaction(makePackedTransaction(trx, []))
    }
    open(1024)
    expect(refusal(() => open(1025))).to.equal('assert_exception')
  })

  it('have context free data in its shortest form', () => {
    const { context_free_data } = openPackedTransaction(
      packed({
        packed_context_free_data: fromHex('8200' + '810005' + '0206070909'),
        packed_trx: makePackedTransaction(EMPTY, []).packed_trx,
      }),
    )
    expect(toHex(context_free_data.packed)).to.equal('02' + '0105' + '020607')
    expect(context_free_data.list().map(toHex)).to.deep.equal(['05', '0607'])
    const beyond = packed({
      packed_context_free_data: fromHex('0201050306'),
      packed_trx: makePackedTransaction(EMPTY, []).packed_trx,
    })
    expect(refusal(() => openPackedTransaction(beyond))).to.equal('out_of_range_exception')
  })

  it('know the size of what may be pruned', () => {
    const signatures = [new Uint8Array(66)]
    const value = makePackedTransaction(EMPTY, signatures, [new Uint8Array(10)])
    expect(prunableSize(value)).to.equal(1 + 66 + 1 + 1 + 10)
    expect(prunableSize(packed({}))).to.equal(1)
  })
})
