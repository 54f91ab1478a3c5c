import { expect } from 'chai'
import fc from 'fast-check'
import { Checksum256, Serializer, Transaction as ClientTransaction } from '@wharfkit/antelope'
import {
  actionDigest,
  blockId,
  packedTransactionDigest,
  pairDigest,
  signingDigest,
  transactionId,
  transactionReceiptDigest,
} from '../../../src/engine/crypto/digests.ts'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import {
  packActionReceipt,
  unpackActionReceipt,
} from '../../../src/engine/protocol/action_receipt.ts'
import { ContextFreeData } from '../../../src/engine/protocol/context_free_data.ts'
import { blockNumFromId } from '../../../src/engine/protocol/block.ts'
import { concatBytes, toHex } from '../../../src/engine/protocol/hex.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import { packAction, packTransaction } from '../../../src/engine/protocol/transaction.ts'
import { packOne } from '../../../src/engine/protocol/writer.ts'
import {
  action,
  bytes,
  digest,
  packedTransaction,
  signedBlock,
  transaction,
  u32,
  u64,
} from '../protocol/arbitrary.ts'

const ZERO = new Uint8Array(32)

describe('digests', () => {
  it('of transactions are a client library’s', () => {
    fc.assert(
      fc.property(transaction, digest, (trx, chain_id) => {
        const packed = packOne(packTransaction, trx)
        const client = Serializer.decode({ data: packed, type: ClientTransaction })
        expect(toHex(transactionId(trx))).to.equal(client.id.hexString)
        expect(toHex(transactionId(packed))).to.equal(client.id.hexString)
        expect(toHex(signingDigest(chain_id, packed))).to.equal(
          client.signingDigest(Checksum256.from(chain_id)).hexString,
        )
      }),
    )
  })

  it('for signing cover context free data', () => {
    fc.assert(
      fc.property(digest, bytes, fc.array(bytes, { maxLength: 3 }), (chain_id, packed, cfd) => {
        const data = packOne((w, list) => w.array(list, (w, b) => w.blob(b)), cfd)
        const covered = cfd.length === 0 ? ZERO : sha256(data)
        expect(toHex(signingDigest(chain_id, packed, ContextFreeData.of(cfd)))).to.equal(
          toHex(sha256(concatBytes(chain_id, packed, covered))),
        )
      }),
    )
  })

  it('of actions cover the return value once it exists', () => {
    fc.assert(
      fc.property(action, bytes, (act, output) => {
        const packed = packOne(packAction, act)
        expect(toHex(actionDigest(act))).to.equal(toHex(sha256(packed)))
        const data = packOne((w, a) => w.blob(a.data), act)
        const base = packed.subarray(0, packed.length - data.length)
        const rest = concatBytes(
          data,
          packOne((w, b) => w.blob(b), output),
        )
        expect(toHex(actionDigest(act, output))).to.equal(
          toHex(pairDigest(sha256(base), sha256(rest))),
        )
      }),
    )
  })

  it('of action receipts cover all their fields: they are packed and read', () => {
    const receipt = fc.record({
      receiver: u64,
      act_digest: digest,
      global_sequence: u64,
      recv_sequence: u64,
      auth_sequence: fc.array(fc.tuple(u64, u64), { maxLength: 3 }),
      code_sequence: u32,
      abi_sequence: u32,
    })
    fc.assert(
      fc.property(receipt, (value) => {
        const packed = packOne(packActionReceipt, value)
        expect(unpackActionReceipt(new Reader(packed))).to.deep.equal(value)
      }),
    )
  })

  it('of receipts cover ids, or packed transactions with a prunable half', () => {
    fc.assert(
      fc.property(packedTransaction, u32, u32, (packed, cpu_usage_us, net_usage_words) => {
        const prunable = packOne((w, p) => {
          w.array(p.signatures, (w, s) => w.raw(s))
          w.blob(p.packed_context_free_data)
        }, packed)
        const whole = packOne((w, p) => {
          w.u8(p.compression)
          w.blob(p.packed_trx)
          w.raw(sha256(prunable))
        }, packed)
        expect(toHex(packedTransactionDigest(packed))).to.equal(toHex(sha256(whole)))
        const receipt = { status: 1, cpu_usage_us, net_usage_words }
        expect(toHex(transactionReceiptDigest({ ...receipt, trx: { packed } }))).to.equal(
          toHex(transactionReceiptDigest({ ...receipt, trx: { id: sha256(whole) } })),
        )
      }),
    )
  })

  it('of blocks begin with the number after the previous block’s', () => {
    fc.assert(
      fc.property(signedBlock, (block) => {
        const expected = (blockNumFromId(block.previous) + 1) % 2 ** 32
        expect(blockNumFromId(blockId(block))).to.equal(expected)
        // The signature is not a part of the id.
        const other = { ...block, producer_signature: new Uint8Array(66) }
        expect(toHex(blockId(other))).to.equal(toHex(blockId(block)))
      }),
    )
  })
})
