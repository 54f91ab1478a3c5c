/**
 * JSON texts of traces. They equal what JSON.stringify makes of the same objects, which takes several times as long.
 */
import type { ActionJson } from '../abi/action_json.ts'
import { integer, list, plain } from './plain_text.ts'
import type {
  AccountDeltaJson,
  ActionReceiptJson,
  ActionTraceJson,
  ReceiptHeaderJson,
  TransactionTraceJson,
} from './trace.ts'

/** The JSON text of a trace; action traces may be a tree. */
export function transactionTraceText(t: TransactionTraceJson): string {
  const acts = new ActionTexts()
  const block_id = t.producer_block_id === null ? 'null' : plain(t.producer_block_id)
  // Of a failed deferred transaction, which is rare.
  const failed =
    t.failed_dtrx_trace === undefined
      ? ''
      : `"failed_dtrx_trace":${JSON.stringify(t.failed_dtrx_trace)},`
  return (
    `{"id":${plain(t.id)},"block_num":${t.block_num},"block_time":${plain(t.block_time)},` +
    `"producer_block_id":${block_id},"receipt":${headerText(t.receipt)},` +
    `"elapsed":${integer(t.elapsed)},"net_usage":${integer(t.net_usage)},` +
    `"scheduled":${t.scheduled},"action_traces":${list(t.action_traces, acts.traceText)},` +
    `"account_ram_delta":${t.account_ram_delta === null ? 'null' : deltaText(t.account_ram_delta)},` +
    `${failed}"except":${JSON.stringify(t.except)},` +
    `"error_code":${t.error_code === null ? 'null' : integer(t.error_code)}}`
  )
}

/**
 * The texts of the action traces of one transaction. What several of them contain is made once. It is made by
 * JSON.stringify, whose text is in one piece: a text of many pieces is copied slowly.
 */
class ActionTexts {
  private act: ActionJson | undefined
  private act_text = ''
  private transaction: string | undefined

  readonly traceText = (t: ActionTraceJson): string => {
    const value =
      t.return_value_data === undefined
        ? ''
        : `,"return_value_data":${JSON.stringify(t.return_value_data)}`
    const inline =
      t.inline_traces === undefined
        ? ''
        : `,"inline_traces":${list(t.inline_traces, this.traceText)}`
    return (
      `{"action_ordinal":${t.action_ordinal},` +
      `"creator_action_ordinal":${t.creator_action_ordinal},` +
      `"closest_unnotified_ancestor_action_ordinal":${t.closest_unnotified_ancestor_action_ordinal},` +
      `"receipt":${receiptText(t.receipt)},"receiver":${plain(t.receiver)},` +
      `"act":${this.actText(t.act)},"context_free":${t.context_free},` +
      `"elapsed":${integer(t.elapsed)},` +
      `"console":${t.console === '' ? '""' : JSON.stringify(t.console)},` +
      `${this.transactionText(t)},` +
      `"account_ram_deltas":${list(t.account_ram_deltas, deltaText)},` +
      `"except":${t.except === null ? 'null' : JSON.stringify(t.except)},` +
      `"error_code":${t.error_code === null ? 'null' : integer(t.error_code)},` +
      `"return_value_hex_data":${plain(t.return_value_hex_data)}${value}${inline}}`
    )
  }

  /** Notifications of an action have the same object. */
  private actText(act: ActionJson): string {
    if (act !== this.act) {
      this.act = act
      this.act_text = JSON.stringify(act)
    }
    return this.act_text
  }

  /** The fields of the transaction, which all action traces repeat. */
  private transactionText({
    trx_id,
    block_num,
    block_time,
    producer_block_id,
  }: ActionTraceJson): string {
    this.transaction ??= JSON.stringify({ trx_id, block_num, block_time, producer_block_id }).slice(
      1,
      -1,
    )
    return this.transaction
  }
}

function headerText(r: ReceiptHeaderJson | null): string {
  if (r === null) return 'null'
  return (
    `{"status":${plain(r.status)},"cpu_usage_us":${r.cpu_usage_us},` +
    `"net_usage_words":${r.net_usage_words}}`
  )
}

function receiptText(r: ActionReceiptJson | null): string {
  if (r === null) return 'null'
  const sequences = list(
    r.auth_sequence,
    ([actor, sequence]) => `[${plain(actor)},${integer(sequence)}]`,
  )
  return (
    `{"receiver":${plain(r.receiver)},"act_digest":${plain(r.act_digest)},` +
    `"global_sequence":${integer(r.global_sequence)},` +
    `"recv_sequence":${integer(r.recv_sequence)},"auth_sequence":${sequences},` +
    `"code_sequence":${r.code_sequence},"abi_sequence":${r.abi_sequence}}`
  )
}

function deltaText({ account, delta }: AccountDeltaJson): string {
  return `{"account":${plain(account)},"delta":${integer(delta)}}`
}
