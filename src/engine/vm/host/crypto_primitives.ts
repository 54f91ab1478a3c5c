import type { HostFunctions } from './host_function.ts'

/** Not built yet: contracts that import one of these cannot be set. */
export const cryptoPrimitives: HostFunctions = {}
