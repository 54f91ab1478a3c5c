import {
  I32,
  I64,
  assembleContract,
  op,
} from '../../../../src/engine/services/production/development/assemble.ts'
import type { Action } from '../../../../src/engine/protocol/action.ts'
import type { FinalizerPolicy } from '../../../../src/engine/protocol/finality.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { packProducerAuthority, packProducerKey } from '../../../../src/engine/protocol/schedule.ts'
import type { ProducerAuthority, ProducerKey } from '../../../../src/engine/protocol/schedule.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { packFinalizers } from '../../../../src/engine/services/production/development/boot.ts'

const CALL = N('call')

/** Code whose action `call` hands its data to a host function that takes bytes, behind a format if one is given. */
function contract(name: string, format: bigint | undefined, results: number[]): Uint8Array {
  return assembleContract(
    [
      { name: 'action_data_size', params: [], results: [I32] },
      { name: 'read_action_data', params: [I32, I32], results: [I32] },
      { name, params: format === undefined ? [I32, I32] : [I64, I32, I32], results },
    ],
    [
      op.localGet(2),
      op.i64Const(CALL),
      op.i64Ne,
      op.if,
      op.return,
      op.end,
      op.i32Const(16),
      op.call(0),
      op.call(1),
      op.drop,
      ...(format === undefined ? [] : [op.i64Const(format)]),
      op.i32Const(16),
      op.call(0),
      op.call(2),
      ...results.map(() => op.drop),
    ],
  )
}

function eosio(name: bigint, data: Uint8Array): Action {
  const authorization = [{ actor: N('eosio'), permission: N('active') }]
  return { account: N('eosio'), name, authorization, data }
}

function setcode(code: Uint8Array): Action {
  const w = new Writer()
  w.u64(N('eosio'))
  w.u8(0)
  w.u8(0)
  w.blob(code)
  return eosio(N('setcode'), w.bytes())
}

function callWith(code: Uint8Array, data: Uint8Array): Action[] {
  return [setcode(code), eosio(CALL, data), setcode(new Uint8Array(0))]
}

/** Actions that call set_finalizers with these bytes. */
export function setFinalizersRaw(data: Uint8Array, format = 0n): Action[] {
  return callWith(contract('set_finalizers', format, []), data)
}

/** Actions that propose a finalizer policy. */
export function setFinalizers({ threshold, finalizers }: FinalizerPolicy): Action[] {
  return setFinalizersRaw(packFinalizers(threshold, finalizers))
}

/** Actions that propose producers. */
export function setProducers(producers: readonly ProducerAuthority[]): Action[] {
  const w = new Writer()
  w.array(producers, packProducerAuthority)
  return callWith(contract('set_proposed_producers_ex', 1n, [I64]), w.bytes())
}

/** The same as before weighted authorities: producers with one key each. */
export function setProducersByKey(producers: readonly ProducerKey[]): Action[] {
  const w = new Writer()
  w.array(producers, packProducerKey)
  return callWith(contract('set_proposed_producers', undefined, [I64]), w.bytes())
}
