/** Random values of the wire types, for property tests. */
import fc from 'fast-check'
import type { Authority, PermissionLevel } from '../../../src/engine/protocol/authority.ts'
import type { SignedBlock, TransactionReceipt } from '../../../src/engine/protocol/block.ts'
import type { PackedTransaction } from '../../../src/engine/protocol/packed_transaction.ts'
import type { ProducerAuthority } from '../../../src/engine/protocol/schedule.ts'
import type { Action, Transaction } from '../../../src/engine/protocol/transaction.ts'

export const u16 = fc.integer({ min: 0, max: 0xffff })
export const u32 = fc.integer({ min: 0, max: 0xffffffff })
export const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
export const bytes = fc.uint8Array({ maxLength: 40 })
export const digest = fc.uint8Array({ minLength: 32, maxLength: 32 })

const typed = (size: number): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(fc.constantFrom(0, 1), fc.uint8Array({ minLength: size, maxLength: size }))
    .map(([type, data]) => Uint8Array.of(type, ...data))
export const publicKey = typed(33)
export const signature = typed(65)

const list = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 3 })
export const extensions = list(fc.tuple(u16, bytes))

export const permissionLevel: fc.Arbitrary<PermissionLevel> = fc.record({
  actor: u64,
  permission: u64,
})
const keyWeight = fc.record({ key: publicKey, weight: u16 })

export const authority: fc.Arbitrary<Authority> = fc.record({
  threshold: u32,
  keys: list(keyWeight),
  accounts: list(fc.record({ permission: permissionLevel, weight: u16 })),
  waits: list(fc.record({ wait_sec: u32, weight: u16 })),
})

export const action: fc.Arbitrary<Action> = fc.record({
  account: u64,
  name: u64,
  authorization: list(permissionLevel),
  data: bytes,
})

export const transaction: fc.Arbitrary<Transaction> = fc.record({
  expiration: u32,
  ref_block_num: u16,
  ref_block_prefix: u32,
  max_net_usage_words: u32,
  max_cpu_usage_ms: fc.nat(255),
  delay_sec: u32,
  context_free_actions: list(action),
  actions: list(action),
  transaction_extensions: extensions,
})

export const packedTransaction: fc.Arbitrary<PackedTransaction> = fc.record({
  signatures: list(signature),
  compression: fc.constantFrom(0, 1, 7),
  packed_context_free_data: bytes,
  packed_trx: bytes,
})

const receipt: fc.Arbitrary<TransactionReceipt> = fc.record({
  status: fc.nat(4),
  cpu_usage_us: u32,
  net_usage_words: u32,
  trx: fc.oneof(fc.record({ id: digest }), fc.record({ packed: packedTransaction })),
})

export const producerAuthority: fc.Arbitrary<ProducerAuthority> = fc.record({
  producer_name: u64,
  authority: fc.tuple(
    fc.constant(0 as const),
    fc.record({ threshold: u32, keys: list(keyWeight) }),
  ),
})

export const legacySchedule = fc.record({
  version: u32,
  producers: list(fc.record({ producer_name: u64, block_signing_key: publicKey })),
})

export const signedBlock: fc.Arbitrary<SignedBlock> = fc.record(
  {
    timestamp: u32,
    producer: u64,
    confirmed: u16,
    previous: digest,
    transaction_mroot: digest,
    action_mroot: digest,
    schedule_version: u32,
    new_producers: legacySchedule,
    header_extensions: extensions,
    producer_signature: signature,
    transactions: list(receipt),
    block_extensions: extensions,
  },
  {
    requiredKeys: [
      'timestamp',
      'producer',
      'confirmed',
      'previous',
      'transaction_mroot',
      'action_mroot',
      'schedule_version',
      'header_extensions',
      'producer_signature',
      'transactions',
      'block_extensions',
    ],
  },
)
