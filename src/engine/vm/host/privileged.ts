import { nameToString } from '../../protocol/name.ts'
import type { WasmInstance } from '../instance.ts'
import { refuse } from '../refuse.ts'
import { checkAliasing } from './aliasing.ts'
import { hostFunction, u64 } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Checks after those of pointers: first the context, then the privilege. */
function checkPrivileged(vm: WasmInstance): void {
  vm.checkContextAware()
  vm.spend(4)
  if (vm.ctx.privileged) return
  refuse('unaccessible_api', '${code} does not have permission to call this API', {
    code: nameToString(vm.ctx.receiver),
  })
}

function checkWritable(vm: WasmInstance, name: string): void {
  if (!vm.ctx.read_only) return
  refuse('wasm_execution_error', `${name} not allowed in a readonly transaction`)
}

/** A function whose only argument is a packed value that it sets. */
function packedSetter(
  name: string,
  set: (vm: WasmInstance, packed: Uint8Array) => void,
): HostFunctions[string] {
  return hostFunction('ii', 'itself', (vm) => (ptr: number, length: number) => {
    vm.check(ptr, length)
    checkPrivileged(vm)
    checkWritable(vm, name)
    vm.spend(100)
    set(vm, vm.bytes(ptr, length))
  })
}

function checkLimit(value: bigint, what: string): void {
  if (value >= -1n) return
  refuse('wasm_execution_error', `invalid value for ${what} expected [-1,INT64_MAX]`)
}

const parameterFunctions: HostFunctions = {
  get_parameters_packed: hostFunction(
    'iiii>i',
    'itself',
    (vm) => (ids: number, ids_size: number, ptr: number, length: number) => {
      vm.check(ptr, length)
      vm.check(ids, ids_size)
      checkAliasing([ids, ids_size], [ptr, length])
      checkPrivileged(vm)
      vm.spend(50)
      const packed = vm.ctx.privileged_api.getParametersPacked(vm.bytes(ids, ids_size))
      if (length === 0) return packed.length
      if (packed.length > length >>> 0) {
        refuse('config_parse_error', 'get_parameters_packed: buffer size is smaller than ${size}', {
          size: packed.length,
        })
      }
      return vm.write(ptr, length, packed)
    },
  ),
  set_parameters_packed: packedSetter('set_parameters_packed', (vm, packed) =>
    vm.ctx.privileged_api.setParametersPacked(packed),
  ),
}

const wasmParameterFunctions: HostFunctions = {
  // Version 0 is the only version, whatever is requested.
  get_wasm_parameters_packed: hostFunction(
    'iii>i',
    'itself',
    (vm) => (ptr: number, length: number, _max_version: number) => {
      vm.check(ptr, length)
      checkPrivileged(vm)
      const config = vm.ctx.privileged_api.getWasmParameters()
      const packed = new Uint8Array(4 + config.length)
      packed.set(config, 4)
      if (length !== 0 && packed.length <= length >>> 0) vm.write(ptr, length, packed)
      return packed.length
    },
  ),
  set_wasm_parameters_packed: packedSetter('set_wasm_parameters_packed', (vm, packed) =>
    vm.ctx.privileged_api.setWasmParameters(packed),
  ),
}

const producerFunctions: HostFunctions = {
  set_proposed_producers: hostFunction('ii>l', 'itself', (vm) => (ptr: number, length: number) => {
    vm.check(ptr, length)
    checkPrivileged(vm)
    checkWritable(vm, 'set_proposed_producers')
    vm.spend(200)
    return vm.ctx.privileged_api.setProposedProducers(vm.copy(ptr, length), 0n)
  }),
  set_proposed_producers_ex: hostFunction(
    'lii>l',
    'itself',
    (vm) => (format: bigint, ptr: number, length: number) => {
      vm.check(ptr, length)
      checkPrivileged(vm)
      checkWritable(vm, 'set_proposed_producers_ex')
      vm.spend(200)
      return vm.ctx.privileged_api.setProposedProducers(vm.copy(ptr, length), u64(format))
    },
  ),
  set_finalizers: hostFunction(
    'lii',
    'itself',
    (vm) => (format: bigint, ptr: number, length: number) => {
      vm.check(ptr, length)
      checkPrivileged(vm)
      checkWritable(vm, 'set_finalizers')
      vm.spend(200)
      vm.ctx.privileged_api.setFinalizers(u64(format), vm.copy(ptr, length))
    },
  ),
}

const resourceFunctions: HostFunctions = {
  set_resource_limits: hostFunction(
    'llll',
    'action',
    (vm) => (account: bigint, ram: bigint, net: bigint, cpu: bigint) => {
      checkPrivileged(vm)
      checkWritable(vm, 'set_resource_limits')
      checkLimit(ram, 'ram resource limit')
      checkLimit(net, 'net resource weight')
      checkLimit(cpu, 'cpu resource weight')
      vm.spend(50)
      vm.ctx.privileged_api.setResourceLimits(u64(account), ram, net, cpu)
    },
  ),
  get_resource_limits: hostFunction(
    'liii',
    'itself',
    (vm) => (account: bigint, ram: number, net: number, cpu: number) => {
      vm.checkPointer(cpu, 8)
      vm.checkPointer(net, 8)
      vm.checkPointer(ram, 8)
      checkPrivileged(vm)
      vm.spend(50)
      const limits = vm.ctx.privileged_api.getResourceLimits(u64(account))
      const places = [
        [ram, limits.ram_bytes],
        [net, limits.net_weight],
        [cpu, limits.cpu_weight],
      ] as const
      // If ranges overlap, the last written one wins: in the reference, those that are not aligned.
      for (const [ptr, value] of places) if ((ptr & 7) === 0) vm.setU64(ptr, value)
      for (const [ptr, value] of places) if ((ptr & 7) !== 0) vm.setU64(ptr, value)
    },
  ),
  get_blockchain_parameters_packed: hostFunction(
    'ii>i',
    'itself',
    (vm) => (ptr: number, length: number) => {
      vm.check(ptr, length)
      checkPrivileged(vm)
      const packed = vm.ctx.privileged_api.getBlockchainParameters()
      if (length === 0) return packed.length
      return packed.length <= length >>> 0 ? vm.write(ptr, length, packed) : 0
    },
  ),
  set_blockchain_parameters_packed: packedSetter('set_blockchain_parameters_packed', (vm, packed) =>
    vm.ctx.privileged_api.setBlockchainParameters(packed),
  ),
}

/** spring: webassembly/privileged.cpp */
export const privilegedFunctions: HostFunctions = {
  is_feature_active: hostFunction('l>i', 'action', (vm) => () => {
    checkPrivileged(vm)
    return 0
  }),
  activate_feature: hostFunction('l', 'action', (vm) => () => {
    checkPrivileged(vm)
    refuse('unsupported_feature', 'Unsupported Hardfork Detected')
  }),
  is_privileged: hostFunction('l>i', 'action', (vm) => (account: bigint) => {
    checkPrivileged(vm)
    return vm.ctx.privileged_api.isPrivileged(u64(account)) ? 1 : 0
  }),
  set_privileged: hostFunction('li', 'action', (vm) => (account: bigint, privileged: number) => {
    checkPrivileged(vm)
    checkWritable(vm, 'set_privileged')
    vm.ctx.privileged_api.setPrivileged(u64(account), privileged !== 0)
  }),
  preactivate_feature: hostFunction('i', 'itself', (vm) => (digest: number) => {
    vm.checkPointer(digest, 32)
    checkPrivileged(vm)
    checkWritable(vm, 'preactivate_feature')
    vm.ctx.privileged_api.preactivateFeature(vm.bytes(digest, 32).slice())
  }),
  ...resourceFunctions,
  ...producerFunctions,
  ...parameterFunctions,
  ...wasmParameterFunctions,
}
