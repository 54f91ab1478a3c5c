/**
 * A small system contract for development chains: limits and privileges of accounts, which only a privileged
 * contract can set. The actions are those of eosio.bios, so its clients can call them.
 */
import { packAbi } from '../../../abi/abi_binary.ts'
import { SYSTEM_ABI } from '../../../abi/system_abi.ts'
import { N } from '../../../protocol/name.ts'
import { I32, I64, assembleContract, op } from './assemble.ts'

const IMPORTS = [
  { name: 'require_auth', params: [I64], results: [] },
  { name: 'action_data_size', params: [], results: [I32] },
  { name: 'read_action_data', params: [I32, I32], results: [I32] },
  { name: 'set_resource_limits', params: [I64, I64, I64, I64], results: [] },
  { name: 'set_privileged', params: [I64, I32], results: [] },
]
const [REQUIRE_AUTH, ACTION_DATA_SIZE, READ_ACTION_DATA, SET_RESOURCE_LIMITS, SET_PRIVILEGED] =
  IMPORTS.keys() as Iterable<number> as [number, number, number, number, number]

const RECEIVER = 0
const CODE = 1
const ACTION = 2
// Not 0: host functions refuse null pointers.
const BUFFER = 16

const ACTIONS = {
  setalimits: { account: 'name', ram_bytes: 'int64', net_weight: 'int64', cpu_weight: 'int64' },
  setpriv: { account: 'name', is_priv: 'uint8' },
}

/** Code and packed ABI. Native actions of eosio are in the ABI too, for its clients. */
export function biosContract(): { wasm: Uint8Array; abi: Uint8Array } {
  return { wasm: code(), abi: abi() }
}

function code(): Uint8Array {
  const field = (offset: number) => [op.i32Const(BUFFER), op.i64Load(offset)]
  return assembleContract(IMPORTS, [
    // A notification is not a call.
    op.localGet(RECEIVER),
    op.localGet(CODE),
    op.i64Ne,
    op.if,
    op.return,
    op.end,
    ...actionOf('setalimits', [...[0, 8, 16, 24].flatMap(field), op.call(SET_RESOURCE_LIMITS)]),
    ...actionOf('setpriv', [
      ...field(0),
      op.i32Const(BUFFER),
      op.i32Load8U(8),
      op.call(SET_PRIVILEGED),
    ]),
  ])
}

/** Runs `body` for the action, which its account alone may call, with the data in the buffer. */
function actionOf(
  name: keyof typeof ACTIONS,
  body: readonly (readonly number[])[],
): (readonly number[])[] {
  return [
    op.localGet(ACTION),
    op.i64Const(N(name)),
    op.i64Eq,
    op.if,
    op.localGet(RECEIVER),
    op.call(REQUIRE_AUTH),
    op.i32Const(BUFFER),
    op.call(ACTION_DATA_SIZE),
    op.call(READ_ACTION_DATA),
    op.drop,
    ...body,
    op.end,
  ]
}

function abi(): Uint8Array {
  const structs = Object.entries(ACTIONS).map(([name, fields]) => ({
    name,
    base: '',
    fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
  }))
  const actions = structs.map(({ name }) => ({ name, type: name, ricardian_contract: '' }))
  return packAbi({
    ...SYSTEM_ABI,
    structs: [...SYSTEM_ABI.structs, ...structs],
    actions: [...SYSTEM_ABI.actions, ...actions],
  })
}
