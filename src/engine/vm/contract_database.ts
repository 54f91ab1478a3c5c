import { fail } from '../errors.ts'
import type { HostContext } from './host_context.ts'

/** The database calls of one action: iterator caches and RAM billing. Being built. */
export class ContractDatabase {
  private readonly ctx: HostContext

  constructor(ctx: HostContext) {
    this.ctx = ctx
  }

  storeI64(
    _scope: bigint,
    _table: bigint,
    _payer: bigint,
    _id: bigint,
    _value: Uint8Array,
  ): number {
    void this.ctx
    return fail('unsupported_feature', 'contract tables are not built yet')
  }
}
