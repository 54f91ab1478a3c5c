/**
 * Prints whether V8 keeps the code that it has optimized for typed arrays when a memory of WebAssembly grows, after a
 * buffer was detached before (`after`) or not. Needs `--allow-natives-syntax`.
 */
import { detachFirstBuffer } from '../../../src/engine/vm/first_detach.ts'

if (process.argv[2] === 'after') detachFirstBuffer()
const isKept = new Function(
  `function sum(a) { let s = 0; for (let i = 0; i < a.length; i++) s += a[i]; return s }
   const numbers = new Uint32Array(8);
   %PrepareFunctionForOptimization(sum);
   sum(numbers);
   sum(numbers);
   %OptimizeFunctionOnNextCall(sum);
   sum(numbers);
   const memory = new WebAssembly.Memory({ initial: 1, maximum: 4 });
   const { buffer } = memory;
   const status = %GetOptimizationStatus(sum);
   memory.grow(1);
   return buffer.byteLength === 0 && %GetOptimizationStatus(sum) === status`,
) as () => boolean
console.log(isKept() ? 'kept' : 'discarded')
