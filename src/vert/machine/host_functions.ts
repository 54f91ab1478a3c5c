import { HOST_FUNCTIONS } from '../../engine/vm/host/table.ts'
import { hostFunction } from '../../engine/vm/host/host_function.ts'
import type { HostFunction } from '../../engine/vm/host/host_function.ts'
import type { KnownFunctions } from '../../engine/vm/link_imports.ts'
import { sameType } from '../../engine/vm/wasm/module.ts'

/** Bytes of the result of get_code_hash. */
const CODE_HASH_RESULT = 43
const FAILURE = -1

type Call = (...args: (number | bigint)[]) => number

/** Functions that differ from the chain's, because contracts and their tests rely on it. */
const OWN: Readonly<Record<string, HostFunction>> = {
  /** proton-tsc imports it without the length of the result, which is 43 bytes. */
  get_code_hash: hostFunction('lii>i', 'itself', (vm) => {
    const call = HOST_FUNCTIONS.get('get_code_hash')!.link(vm) as unknown as Call
    return (account: bigint, version: number, ptr: number) =>
      call(account, version, ptr, CODE_HASH_RESULT)
  }),

  /** AssemblyScript imports it with the place of the failure. */
  abort: hostFunction('iiii', 'any', (vm) => HOST_FUNCTIONS.get('abort')!.link(vm)),

  /** The chain's result for a modulus of 0 is 0, not a failure. */
  mod_exp: hostFunction('iiiiiiii>i', 'any', (vm) => {
    const call = HOST_FUNCTIONS.get('mod_exp')!.link(vm) as unknown as Call
    return (...args: number[]) => {
      const result = call(...args)
      const [, , , , modulus, length] = args
      return vm.bytes(modulus!, length!).some((byte) => byte !== 0) ? result : FAILURE
    }
  }),
}

/** The host functions of the chain and those of VeRT. */
export const hostFunctions: KnownFunctions = {
  get(name, type) {
    const own = Object.hasOwn(OWN, name) ? OWN[name] : undefined
    return own !== undefined && sameType(own.type, type) ? own : HOST_FUNCTIONS.get(name)
  },
}
