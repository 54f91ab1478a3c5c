import { MessageChannel } from 'node:worker_threads'
import type { ApiContext } from './api/api_context.ts'
import { ChainApi } from './api/chain.ts'
import { unpackSubmission } from './services/production/prepared_submission.ts'
import { serverVersion } from './queries/chain_info.ts'
import { BLOCK_READS, STATE_READS } from './queries/state_reads.ts'
import type { StateRead } from './queries/state_reads.ts'
import type { StateAccess } from './reading.ts'

/** What threads need that answer reads of the state. */
export interface ReadAccess {
  /** Lets another thread read the state; see StateReader. `release` ends that. */
  open(): { access: StateAccess; release: () => void }
  /** The operations that such a thread can answer on this node. */
  operations(): ReadonlySet<StateRead>
  /** Executes a submission that such a thread has prepared.
   *  @throws ChainError */
  submit(prepared: Uint8Array): Promise<unknown>
  /** Something beside the chain has changed on which answers depend: rules of this node, for example. */
  changed(): void
}

/** How the threads of a running engine read its state. */
export function readAccess({ chain, services, options }: ApiContext, api: ChainApi): ReadAccess {
  const { abi_serializer_max_time_us, accept_transactions, rules } = options
  const { chain_id } = chain
  const version = serverVersion(options.version)
  const time_limit_us = new Float64Array(new SharedArrayBuffer(8))
  const max_signature_length = rules.maximum_variable_signature_length
  const submissions = { max_signature_length, time_limit_us: time_limit_us.buffer }
  return {
    open: () => {
      const { port1, port2: port } = new MessageChannel()
      const words = chain.addReader(port1)
      time_limit_us[0] = services.production.max_recovery_time_us
      const access: StateAccess = {
        ...{ words, port, chain_id, version, abi_serializer_max_time_us },
        submissions: accept_transactions ? submissions : undefined,
      }
      return { access, release: () => chain.removeReader(port1) }
    },
    operations: () => {
      const reads = new Set(Object.keys(STATE_READS) as StateRead[])
      // Charges of accounts are known to this thread alone.
      if (services.subjective_billing.charges) reads.delete('get_account')
      if (chain.block_log_path === undefined) for (const read of BLOCK_READS) reads.delete(read)
      return reads
    },
    submit: async (prepared) => api.submitPrepared(unpackSubmission(prepared)),
    changed: () => {
      time_limit_us[0] = services.production.max_recovery_time_us
      chain.rulesChanged()
    },
  }
}
