import { N } from '../../src/engine/protocol/name.ts'

/** The contract, an account that signs too, and one that does not but has the contract as well. */
export const NAMES = { contract: N('probe'), signer: N('alice'), other: N('bob') }
