/**
 * The two contracts with which a development chain starts. Each has one action, which its account
 * alone may call; it hands its data to a host function of privileged contracts. They are two because
 * code may import a function only when the feature that brings it is active.
 */
import { N } from '../../../protocol/name.ts'
import { I32, I64, assembleContract, op } from './assemble.ts'
import type { Import } from './assemble.ts'

/** `activate(checksum256 feature_digest)`: preactivates a protocol feature. */
export const ACTIVATE = N('activate')
/** `setfinalizer(finalizer_policy)`: proposes a finalizer policy, given as set_finalizers takes it. */
export const SET_FINALIZER = N('setfinalizer')

const IMPORTS: readonly Import[] = [
  { name: 'require_auth', params: [I64], results: [] },
  { name: 'action_data_size', params: [], results: [I32] },
  { name: 'read_action_data', params: [I32, I32], results: [I32] },
]
const REQUIRE_AUTH = 0
const ACTION_DATA_SIZE = 1
const READ_ACTION_DATA = 2
const LAST = 3

const RECEIVER = 0
const CODE = 1
const ACTION = 2
// Not 0: host functions refuse null pointers.
const BUFFER = 16

/** Ignores every other action; checks the caller; reads the data to the buffer. */
function actionOf(name: bigint): (readonly number[])[] {
  return [
    op.localGet(RECEIVER),
    op.localGet(CODE),
    op.i64Ne,
    op.localGet(ACTION),
    op.i64Const(name),
    op.i64Ne,
    op.i32Or,
    op.if,
    op.return,
    op.end,
    op.localGet(RECEIVER),
    op.call(REQUIRE_AUTH),
    op.i32Const(BUFFER),
    op.call(ACTION_DATA_SIZE),
    op.call(READ_ACTION_DATA),
    op.drop,
  ]
}

/** Code of the contract with {@link ACTIVATE}. */
export function featureContract(): Uint8Array {
  return assembleContract(
    [...IMPORTS, { name: 'preactivate_feature', params: [I32], results: [] }],
    [...actionOf(ACTIVATE), op.i32Const(BUFFER), op.call(LAST)],
  )
}

/** Code of the contract with {@link SET_FINALIZER}. */
export function finalizerContract(): Uint8Array {
  return assembleContract(
    [...IMPORTS, { name: 'set_finalizers', params: [I64, I32, I32], results: [] }],
    [
      ...actionOf(SET_FINALIZER),
      // Format 0 is the only one.
      op.i64Const(0n),
      op.i32Const(BUFFER),
      op.call(ACTION_DATA_SIZE),
      op.call(LAST),
    ],
  )
}
