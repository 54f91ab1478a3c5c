/**
 * What the wire costs: `npx tsx bench/wire.ts`. Hashes, packing, names, keys, against the ways that
 * were not taken.
 */
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { blockId, transactionReceiptDigest } from '../src/engine/crypto/digests.ts'
import { sha256 } from '../src/engine/crypto/hash.ts'
import type { PrivateKey } from '../src/engine/crypto/keys.ts'
import { publicKeyOf, recoverK1, recoverKey, signDigest } from '../src/engine/crypto/keys.ts'
import { legacyMerkle, savannaMerkle } from '../src/engine/crypto/merkle.ts'
import { RecoveryPool } from '../src/engine/crypto/recovery_pool.ts'
import { streamHasher } from '../src/engine/hash/hasher.ts'
import { loadNative, noble } from '../src/engine/crypto/secp256k1.ts'
import { packSignedBlock, unpackSignedBlock } from '../src/engine/protocol/block.ts'
import { fromHex, toHex } from '../src/engine/protocol/hex.ts'
import { publicKeyFromString, publicKeyToString } from '../src/engine/protocol/key.ts'
import { nameFromString, nameToString } from '../src/engine/protocol/name.ts'
import { openPackedTransaction } from '../src/engine/protocol/packed_transaction.ts'
import { Reader } from '../src/engine/protocol/reader.ts'
import { timePointToString } from '../src/engine/protocol/time.ts'
import { Writer } from '../src/engine/protocol/writer.ts'
import { recordedBlocks } from '../test/engine/protocol/recorded_blocks.ts'

/** Microseconds of one call: the best of five rounds. */
function cost(f: () => unknown, count: number): number {
  for (let i = 0; i < count; i++) f()
  let best = Infinity
  for (let round = 0; round < 5; round++) {
    const started = process.hrtime.bigint()
    for (let i = 0; i < count; i++) f()
    best = Math.min(best, Number(process.hrtime.bigint() - started) / 1000 / count)
  }
  return best
}

/** Prints what `f` costs, and how many times as much `other` costs. */
function measure(name: string, f: () => unknown, count = 20000, other?: () => unknown): void {
  const us = cost(f, count)
  const ratio =
    other === undefined ? '' : `  (the other way: ${(cost(other, count) / us).toFixed(1)} x)`
  console.log(`${name.padEnd(34)} ${us.toFixed(3).padStart(10)} us${ratio}`)
}

const stream = streamHasher('sha256')
for (const size of [32, 64, 100, 200, 300, 1000]) {
  const data = new Uint8Array(size).fill(7)
  measure(
    `sha256 of ${size} (noble)`,
    () => sha256(data),
    20000,
    () => nobleSha256(data),
  )
  measure(
    `  (stream)`,
    () => sha256(data),
    20000,
    () => stream(data),
  )
}
const digests = Array.from({ length: 1000 }, (_, i) => sha256(Uint8Array.of(i, i >> 8)))
measure('legacy root of 1000', () => legacyMerkle(digests), 50)
measure('Savanna root of 1000', () => savannaMerkle(digests), 50)

const numbers = new Uint8Array(8000).map((_, i) => i * 31)
const writer = new Writer(9000)
const view = new DataView(numbers.buffer)
const read1000 = (): void => {
  const r = new Reader(numbers)
  for (let i = 0; i < 1000; i++) r.u64()
}
const view1000 = (): void => {
  for (let i = 0; i < 1000; i++) view.getBigUint64(i * 8, true)
}
const write1000 = (): void => {
  writer.reset()
  for (let i = 0; i < 1000; i++) writer.u64(0x0123456789abcdefn)
}
measure('read 1000 u64 (a DataView)', read1000, 1000, view1000)
measure('write 1000 u64', write1000, 1000)
let n = 0n
measure('name to text, known', () => nameToString(6138663577826885632n))
measure('name to text, new', () => nameToString((n += 7919777777n)))
measure('text to name, known', () => nameFromString('eosio.token'))
measure('hex of 32', () => toHex(digests[0] as Uint8Array))
const hex = toHex(digests[0] as Uint8Array)
measure('32 from hex', () => fromHex(hex))
measure('time to text', () => timePointToString(1767225600123456))

const { blocks } = recordedBlocks()
const largest = blocks.reduce((a, b) => (b.length > a.length ? b : a))
const block = unpackSignedBlock(new Reader(largest))
const size = `${block.transactions.length} transactions, ${largest.length} bytes`
measure(`block of ${size}: unpack`, () => unpackSignedBlock(new Reader(largest)), 1000)
measure('  pack', () => (writer.reset(), packSignedBlock(writer, block)), 1000)
measure('  id', () => blockId(block))
const receipts = blocks.flatMap((b) => unpackSignedBlock(new Reader(b)).transactions)
for (const receipt of receipts) {
  if ('id' in receipt.trx || receipt.trx.packed.packed_trx.length > 200) continue
  const { packed } = receipt.trx
  measure(`transaction of ${packed.packed_trx.length}: open`, () => openPackedTransaction(packed))
  measure('  digest of its receipt', () => transactionReceiptDigest(receipt))
  break
}

const k1: PrivateKey = { type: 0, data: sha256(Uint8Array.of(1)) }
const r1: PrivateKey = { type: 1, data: k1.data }
const digest = sha256(Uint8Array.of(2))
const signature = signDigest(k1, digest)
const native = loadNative()
const byNoble = (): Uint8Array => recoverK1(noble, signature, digest)
if (native === undefined) measure('recover K1', byNoble, 50)
else measure('recover K1 (noble)', () => recoverK1(native, signature, digest), 50, byNoble)
const r1Signature = signDigest(r1, digest)
measure('recover R1', () => recoverKey(r1Signature, digest), 50)
measure('sign K1', () => signDigest(k1, digest), 200)
measure('sign R1', () => signDigest(r1, digest), 50)
const key = publicKeyOf(k1)
const text = publicKeyToString(key)
measure('key to text', () => publicKeyToString(key), 2000)
measure('text to key', () => publicKeyFromString(text), 2000)

for (const threads of [0, 1, 2]) {
  const pool = new RecoveryPool(threads)
  await pool.start()
  const flood = (): Promise<unknown> =>
    Promise.all(Array.from({ length: 1000 }, () => pool.recover(digest, [signature])))
  await flood()
  const started = process.hrtime.bigint()
  await flood()
  const us = Number(process.hrtime.bigint() - started) / 1000 / 1000
  console.log(`${`recovery pool of ${threads}, flood`.padEnd(34)} ${us.toFixed(3).padStart(10)} us`)
  await pool.close()
}
