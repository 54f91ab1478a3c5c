import { Writer } from '../../protocol/writer.ts'
import { hostFunction } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/**
 * The buffer's length is declared as a count of names, so eight times as much of memory is checked;
 * what is copied is that many bytes (spring: webassembly/producer.cpp).
 */
export const producerFunctions: HostFunctions = {
  get_active_producers: hostFunction('ii>i', 'itself', (vm) => (ptr: number, length: number) => {
    vm.checkArray(ptr, length, 8)
    vm.checkContextAware()
    vm.spend(20)
    const w = new Writer(256)
    for (const name of vm.ctx.activeProducers()) w.u64(name)
    return length === 0 ? w.length : vm.write(ptr, length, w.view())
  }),
}
