/** The operations of the chain group (`/v1/chain/*`), typed by the contract. */
import type { Answer, Body } from '../contract.ts'
import { check } from '../errors.ts'
import { getAccount } from '../queries/account.ts'
import * as blocks from '../queries/blocks.ts'
import { getInfo, serverVersion, type ServerVersion } from '../queries/chain_info.ts'
import * as code from '../queries/code.ts'
import { getConsensusParameters } from '../queries/consensus_parameters.ts'
import { getCurrencyBalance, getCurrencyStats } from '../queries/currency.ts'
import { getActivatedProtocolFeatures } from '../queries/features.ts'
import { getFinalizerInfo } from '../queries/finalizer_info.ts'
import { getProducerSchedule, getProducers } from '../queries/producers.ts'
import type { QueryOptions } from '../queries/query.ts'
import { getRequiredKeys } from '../queries/required_keys.ts'
import { getScheduledTransactions } from '../queries/scheduled_transactions.ts'
import { getTableByScope } from '../queries/table_by_scope.ts'
import { getTableRows } from '../queries/table_rows.ts'
import { getTransactionId } from '../queries/transaction_id.ts'
import { getAccountsByAuthorizers } from '../services/account_queries/authorizers.ts'
import * as submissions from '../services/production/submissions.ts'
import type { Submission } from '../services/production/submission_requests.ts'
import { getTransactionStatus } from '../services/transaction_status/get_transaction_status.ts'
import type { Chain } from '../chain/chain.ts'
import type { Services } from '../services/list.ts'
import { queryOptions, type ApiContext } from './api_context.ts'

/** What the operations of the chain group work on. */
export interface ChainApiContext {
  readonly chain: Chain
  readonly services: Pick<Services, 'account_queries' | 'transaction_status'> & {
    readonly production: submissions.Submitter
    readonly subjective_billing: Pick<Services['subjective_billing'], 'billOf'>
  }
  readonly options: Pick<
    ApiContext['options'],
    'version' | 'abi_serializer_max_time_us' | 'accept_transactions'
  >
  readonly deps: { readonly clock: Pick<ApiContext['deps']['clock'], 'now'> }
}

/** One method for each operation of the chain group: plain data in and out. */
export class ChainApi {
  private readonly context: ChainApiContext
  private readonly chain: Chain
  private readonly services: ChainApiContext['services']
  private readonly version: ServerVersion
  private readonly submission: submissions.SubmissionContext

  constructor(context: ChainApiContext) {
    const { chain, services, options, deps } = context
    this.context = context
    this.chain = chain
    this.services = services
    this.version = serverVersion(options.version)
    const abiOptions = () => this.queryOptions()
    this.submission = { chain, producer: services.production, clock: deps.clock, abiOptions }
  }

  getInfo = (): Answer<'get_info'> => getInfo(this.chain, this.version)
  getAccount = (body: Body<'get_account'>): Answer<'get_account'> => {
    const subjectiveBill = (account: bigint) => this.services.subjective_billing.billOf(account)
    return getAccount(this.chain, body, { ...this.queryOptions(), subjectiveBill })
  }
  getBlock = (body: Body<'get_block'>): Answer<'get_block'> =>
    blocks.getBlock(this.chain, body, this.queryOptions())
  getBlockInfo = (body: Body<'get_block_info'>): Answer<'get_block_info'> =>
    blocks.getBlockInfo(this.chain, body)
  getBlockHeader = (body: Body<'get_block_header'>): Answer<'get_block_header'> =>
    blocks.getBlockHeader(this.chain, body)
  getBlockHeaderState = (body: Body<'get_block_header_state'>): Answer<'get_block_header_state'> =>
    blocks.getBlockHeaderState(this.chain, body)
  getRawBlock = (body: Body<'get_raw_block'>): Answer<'get_raw_block'> =>
    blocks.getRawBlock(this.chain, body)
  getCode = (body: Body<'get_code'>): Answer<'get_code'> => code.getCode(this.chain, body)
  getCodeHash = (body: Body<'get_code_hash'>): Answer<'get_code_hash'> =>
    code.getCodeHash(this.chain, body)
  getAbi = (body: Body<'get_abi'>): Answer<'get_abi'> => code.getAbi(this.chain, body)
  getRawAbi = (body: Body<'get_raw_abi'>): Answer<'get_raw_abi'> => code.getRawAbi(this.chain, body)
  getRawCodeAndAbi = (body: Body<'get_raw_code_and_abi'>): Answer<'get_raw_code_and_abi'> =>
    code.getRawCodeAndAbi(this.chain, body)
  getTableRows = (body: Body<'get_table_rows'>): Answer<'get_table_rows'> =>
    getTableRows(this.chain, body, this.queryOptions())
  getTableByScope = (body: Body<'get_table_by_scope'>): Answer<'get_table_by_scope'> =>
    getTableByScope(this.chain, body)
  getCurrencyBalance = (body: Body<'get_currency_balance'>): Answer<'get_currency_balance'> =>
    getCurrencyBalance(this.chain, body)
  getCurrencyStats = (body: Body<'get_currency_stats'>): Answer<'get_currency_stats'> =>
    getCurrencyStats(this.chain, body)
  getProducers = (body: Body<'get_producers'>): Answer<'get_producers'> =>
    getProducers(this.chain, body, this.queryOptions())
  getProducerSchedule = (): Answer<'get_producer_schedule'> => getProducerSchedule(this.chain)
  getRequiredKeys = (body: Body<'get_required_keys'>): Answer<'get_required_keys'> =>
    getRequiredKeys(this.chain, body, this.queryOptions())
  getScheduledTransactions = (
    body: Body<'get_scheduled_transactions'>,
  ): Answer<'get_scheduled_transactions'> =>
    getScheduledTransactions(this.chain, body, this.queryOptions())
  getTransactionId = (body: Body<'get_transaction_id'>): Answer<'get_transaction_id'> =>
    getTransactionId(body)
  getActivatedProtocolFeatures = (
    body: Body<'get_activated_protocol_features'>,
  ): Answer<'get_activated_protocol_features'> => getActivatedProtocolFeatures(this.chain, body)
  getConsensusParameters = (): Answer<'get_consensus_parameters'> =>
    getConsensusParameters(this.chain)
  getFinalizerInfo = (): Answer<'get_finalizer_info'> => getFinalizerInfo(this.chain)
  getAccountsByAuthorizers = (
    body: Body<'get_accounts_by_authorizers'>,
  ): Answer<'get_accounts_by_authorizers'> =>
    getAccountsByAuthorizers(this.chain, this.services.account_queries, body)
  getTransactionStatus = (body: Body<'get_transaction_status'>): Answer<'get_transaction_status'> =>
    getTransactionStatus(this.chain, this.services.transaction_status, body)

  // Submissions.
  pushTransaction = (body: Body<'push_transaction'>): Promise<Answer<'push_transaction'>> =>
    submissions.submitRequest(this.accepting(), 'push_transaction', body)
  sendTransaction = (body: Body<'send_transaction'>): Promise<Answer<'send_transaction'>> =>
    submissions.submitRequest(this.accepting(), 'send_transaction', body)
  sendTransaction2 = (body: Body<'send_transaction2'>): Promise<Answer<'send_transaction2'>> =>
    submissions.submitRequest(this.accepting(), 'send_transaction2', body)
  pushTransactions = (body: Body<'push_transactions'>): Promise<Answer<'push_transactions'>> =>
    submissions.pushTransactions(this.accepting(), body)
  pushBlock = (body: Body<'push_block'>): Promise<Answer<'push_block'>> =>
    submissions.pushBlock(this.submission, body)
  computeTransaction = (
    body: Body<'compute_transaction'>,
  ): Promise<Answer<'compute_transaction'>> =>
    submissions.submitRequest(this.submission, 'compute_transaction', body)
  sendReadOnlyTransaction = (
    body: Body<'send_read_only_transaction'>,
  ): Promise<Answer<'send_read_only_transaction'>> =>
    submissions.submitRequest(this.submission, 'send_read_only_transaction', body)

  /** Executes a submission that another thread has read. */
  submitPrepared(submission: Submission): Promise<submissions.TransactionResult> {
    return submissions.submit(this.submission, submission)
  }

  private queryOptions(): QueryOptions {
    return queryOptions(this.context)
  }

  private accepting(): submissions.SubmissionContext {
    check(
      this.context.options.accept_transactions,
      'unsupported_feature',
      'this node accepts no transactions: api-accept-transactions is false',
    )
    return this.submission
  }
}
