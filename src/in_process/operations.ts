import { AuthorizerIndex, ChainApi } from '../engine/index.ts'
import type { Answer, Body } from '../engine/index.ts'
import { machineTime } from './block_maker.ts'
import type { BlockMaker } from './block_maker.ts'
import { LocalSubmitter } from './submitter.ts'

/** The version of the reference whose answers these are. */
const VERSION = '1.2.2'

/**
 * @internal The operations of the HTTP API's group `chain`, on a chain in process.
 * @param mines whether a block ends with each transaction that is submitted and succeeds
 */
export function chainApiOf(maker: BlockMaker, mines = false): ChainApi {
  const { chain } = maker
  let index: AuthorizerIndex | undefined
  return new ChainApi({
    chain,
    services: {
      production: new LocalSubmitter(maker, mines),
      // Made for the first question: chains that are never asked pay nothing.
      get account_queries() {
        return (index ??= new AuthorizerIndex(chain.db))
      },
      transaction_status: undefined,
      subjective_billing: { billOf: () => 0 },
    },
    options: { version: VERSION, abi_serializer_max_time_us: Infinity, accept_transactions: true },
    deps: { clock: { now: machineTime } },
  })
}

/** Operations that take no parameters. */
type Plain =
  | 'get_info'
  // They follow from the best block.
  | 'get_producer_schedule'
  | 'get_consensus_parameters'
  | 'get_finalizer_info'
type Read =
  | 'get_account'
  | 'get_block'
  | 'get_block_info'
  | 'get_block_header'
  | 'get_block_header_state'
  | 'get_raw_block'
  | 'get_code'
  | 'get_code_hash'
  | 'get_abi'
  | 'get_raw_abi'
  | 'get_raw_code_and_abi'
  | 'get_table_rows'
  | 'get_table_by_scope'
  | 'get_currency_balance'
  | 'get_currency_stats'
  | 'get_producers'
  | 'get_required_keys'
  | 'get_scheduled_transactions'
  | 'get_transaction_id'
  | 'get_activated_protocol_features'
  | 'get_accounts_by_authorizers'
type Submission =
  | 'push_transaction'
  | 'send_transaction'
  | 'send_transaction2'
  | 'push_transactions'
  | 'compute_transaction'
  | 'send_read_only_transaction'

/**
 * The operations of the HTTP API that a chain in process has, by their names there; each takes the
 * body of its request.
 */
export type ChainOperations = { readonly [O in Plain]: () => Answer<O> } & {
  readonly [O in Read]: (body: Body<O>) => Answer<O>
} & { readonly [O in Submission]: (body: Body<O>) => Promise<Answer<O>> }

/** @internal The operations by name. */
export function operationsOf(api: ChainApi): ChainOperations {
  return {
    get_info: api.getInfo,
    get_account: api.getAccount,
    get_block: api.getBlock,
    get_block_info: api.getBlockInfo,
    get_block_header: api.getBlockHeader,
    get_block_header_state: api.getBlockHeaderState,
    get_raw_block: api.getRawBlock,
    get_code: api.getCode,
    get_code_hash: api.getCodeHash,
    get_abi: api.getAbi,
    get_raw_abi: api.getRawAbi,
    get_raw_code_and_abi: api.getRawCodeAndAbi,
    get_table_rows: api.getTableRows,
    get_table_by_scope: api.getTableByScope,
    get_currency_balance: api.getCurrencyBalance,
    get_currency_stats: api.getCurrencyStats,
    get_producers: api.getProducers,
    get_producer_schedule: api.getProducerSchedule,
    get_required_keys: api.getRequiredKeys,
    get_scheduled_transactions: api.getScheduledTransactions,
    get_transaction_id: api.getTransactionId,
    get_activated_protocol_features: api.getActivatedProtocolFeatures,
    get_consensus_parameters: api.getConsensusParameters,
    get_finalizer_info: api.getFinalizerInfo,
    get_accounts_by_authorizers: api.getAccountsByAuthorizers,
    push_transaction: api.pushTransaction,
    send_transaction: api.sendTransaction,
    send_transaction2: api.sendTransaction2,
    push_transactions: api.pushTransactions,
    compute_transaction: api.computeTransaction,
    send_read_only_transaction: api.sendReadOnlyTransaction,
  }
}
