import {
  ConversionBudget,
  SYSTEM_ABI_BYTES,
  compileAbi,
  nameFromString,
  unpackAbi,
} from '../engine/index.ts'
import type { Action, CompiledAbi } from '../engine/index.ts'
import { permissionFromText } from './permission.ts'
import { plainValue } from './plain_value.ts'

let abi: CompiledAbi | undefined

/** An action that the chain itself carries out, whichever ABI `eosio` has. */
export function nativeAction(name: string, data: object, authorization: string): Action {
  abi ??= compileAbi(unpackAbi(SYSTEM_ABI_BYTES))
  return {
    account: nameFromString('eosio'),
    name: nameFromString(name),
    authorization: [permissionFromText(authorization)],
    data: abi.encode(name, plainValue(data), { budget: new ConversionBudget(Infinity) }),
  }
}
