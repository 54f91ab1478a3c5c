/**
 * The operations of the trace API.
 * spring: plugins/trace_api_plugin/trace_api_plugin.cpp (trace_api_rpc_plugin_impl)
 */
import { asUint64, isObject } from '../../abi/lenient_json.ts'
import type { Body } from '../../contract.ts'
import { ChainError, RequestError, check } from '../../errors.ts'
import { fromHex } from '../../protocol/hex.ts'
import type { TraceApi } from './trace_api.ts'
import type { TracedBlockJson, TracedTransactionJson } from './trace_json.ts'

const OFF =
  'the trace API is off: configure the node with plugin eosio::trace_api_plugin, and trace-rpc-abi, ' +
  'trace-chain-abis or trace-no-abis'
const UINT32_MAX = 0xffffffffn
/** A shorter id is one that ends with zeros, which no transaction has. */
const TRX_ID = /^[0-9a-f]{8,64}$/i

/**
 * The trace of a block.
 * @throws RequestError 400 for a request without a number, 404 where there is no trace;
 *   ChainError unsupported_feature where the trace API is off
 */
export async function getBlockTrace(
  traces: TraceApi | undefined,
  params: Body<'get_block_trace'>,
): Promise<TracedBlockJson> {
  const block_num = blockNumOf(params)
  if (block_num === undefined) throw new RequestError(400, 'Bad or missing block_num')
  check(traces, 'unsupported_feature', OFF)
  const block = await traces.block(block_num)
  if (!block) throw new RequestError(404, 'Trace API: block trace missing')
  return block
}

/**
 * The trace of a transaction.
 * @throws RequestError 400 for a request without an id, 404 where there is no trace;
 *   ChainError unsupported_feature where the trace API is off
 */
export async function getTransactionTrace(
  traces: TraceApi | undefined,
  params: Body<'get_transaction_trace'>,
): Promise<TracedTransactionJson> {
  const id = trxIdOf(params)
  if (!id) throw new RequestError(400, 'Bad or missing transaction ID')
  check(traces, 'unsupported_feature', OFF)
  const block_num = await traces.blockOf(id)
  if (block_num === undefined) {
    throw new RequestError(404, 'Trace API: transaction id missing in the transaction id log files')
  }
  const transaction = await traces.transaction(id, block_num)
  if (!transaction) throw new RequestError(404, 'Trace API: transaction trace missing')
  return transaction
}

function blockNumOf(params: Body<'get_block_trace'>): number | undefined {
  if (!isObject(params) || !('block_num' in params)) return undefined
  try {
    const block_num = asUint64(params.block_num)
    return block_num <= UINT32_MAX ? Number(block_num) : undefined
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}

function trxIdOf(params: Body<'get_transaction_trace'>): Uint8Array | undefined {
  const id: unknown = isObject(params) ? params.id : undefined
  if (typeof id !== 'string' || !TRX_ID.test(id)) return undefined
  return fromHex(id.padEnd(64, '0'))
}
