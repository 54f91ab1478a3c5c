import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { ConversionBudget } from '../../../src/engine/abi/conversion_budget.ts'
import { UnknownKeyError, unknownAccount } from '../../../src/engine/chain/base/unknown_key.ts'
import { errorCodeOf } from '../../../src/engine/chain/base/error_code.ts'
import { exceptDetailString, exceptJson } from '../../../src/engine/json/exception.ts'
import type { LogData } from '../../../src/engine/chain/base/refuse.ts'
import type { ActionTrace, TransactionTrace } from '../../../src/engine/chain/base/trace.ts'
import { transactionTraceJson, transactionTraceTreeJson } from '../../../src/engine/json/trace.ts'
import { ChainError } from '../../../src/engine/errors.ts'
import type { ErrorName } from '../../../src/engine/errors.ts'
import { STATUS_NAMES } from '../../../src/engine/protocol/transaction_status.ts'
import { fromHex } from '../../../src/engine/protocol/hex.ts'
import { nameFromString } from '../../../src/engine/protocol/name.ts'
import { parseBlockTimestamp, parseTimePoint } from '../../../src/engine/protocol/time.ts'
import { AssertCodeError } from '../../../src/engine/vm/assert_code_error.ts'

interface Delta {
  account: string
  delta: number | string
}

interface RecordedExcept {
  code: number
  name: string
  message: string
  stack: { context: Record<string, string | number>; format: string; data: LogData }[]
}

interface RecordedAction {
  action_ordinal: number
  creator_action_ordinal: number
  closest_unnotified_ancestor_action_ordinal: number
  receipt: {
    receiver: string
    act_digest: string
    global_sequence: number
    recv_sequence: number
    auth_sequence: [string, number][]
    code_sequence: number
    abi_sequence: number
  } | null
  receiver: string
  act: {
    account: string
    name: string
    authorization: { actor: string; permission: string }[]
    data: unknown
    hex_data: string
  }
  context_free: boolean
  elapsed: number
  console: string
  account_ram_deltas: Delta[]
  except: RecordedExcept | null
  error_code: string | number | null
  return_value_hex_data: string
  return_value_data?: unknown
  inline_traces?: RecordedAction[]
}

interface RecordedTrace {
  id: string
  block_num: number
  block_time: string
  producer_block_id: string | null
  receipt: {
    status: (typeof STATUS_NAMES)[number]
    cpu_usage_us: number
    net_usage_words: number
  } | null
  elapsed: number
  net_usage: number
  scheduled: boolean
  action_traces: RecordedAction[]
  account_ram_delta: Delta | null
  except: RecordedExcept | null
  error_code: string | number | null
}

const FOLDER = new URL('../../fixtures/recordings/one/', import.meta.url)

/** Every `processed` in the recordings, by path. */
function recordedTraces(file: string): { path: string; trace: RecordedTrace }[] {
  const found: { path: string; trace: RecordedTrace }[] = []
  const text = gunzipSync(readFileSync(new URL(file, FOLDER))).toString('utf8')
  for (const line of text.trim().split('\n')) {
    const { path, response } = JSON.parse(line) as { path?: string; response?: string }
    if (!path?.includes('transaction') || !response?.includes('"processed"')) continue
    const answers = [JSON.parse(response)].flat() as { processed: RecordedTrace }[]
    for (const { processed } of answers) if (processed.id) found.push({ path, trace: processed })
  }
  return found
}

const errorOf = (except: RecordedExcept, error_code: string | number | null): ChainError => {
  const std = except.code === 13
  const name = (std ? 'std_exception' : except.name) as ErrorName
  const message = std ? except.message : (except.stack[0]?.format ?? '')
  let error = new ChainError(name, message)
  if (name === 'eosio_assert_code_exception' || name === 'restricted_error_code_exception')
    error = new AssertCodeError(name, message, BigInt(error_code!))
  if (except.name === 'N5boost10wrapexceptISt12out_of_rangeEE') error = new UnknownKeyError(message)
  if (!std) error.details.length = 0
  for (const { context, format, data } of except.stack) {
    const given = std ? format.replace('${what}: ', '') : format
    const kept = Object.entries(data).filter(([key]) => !std || key !== 'what')
    error.appendLog(given, Object.fromEntries(kept))
    Object.assign(error.details.at(-1)!, {
      file: context.file,
      line_number: context.line,
      method: context.method,
    })
  }
  return error
}

const deltaOf = ({ account, delta }: Delta) => ({
  account: nameFromString(account),
  delta: Number(delta),
})

/** All action traces of a tree in the order of their ordinals, without the tree. */
function flatten(traces: RecordedAction[]): RecordedAction[] {
  return traces
    .flatMap((trace) => [trace, ...flatten(trace.inline_traces ?? [])])
    .sort((a, b) => a.action_ordinal - b.action_ordinal)
}

const actionTraceOf = (trace: RecordedAction): ActionTrace => ({
  action_ordinal: trace.action_ordinal,
  creator_action_ordinal: trace.creator_action_ordinal,
  closest_unnotified_ancestor_action_ordinal: trace.closest_unnotified_ancestor_action_ordinal,
  receipt: trace.receipt
    ? {
        receiver: nameFromString(trace.receipt.receiver),
        act_digest: fromHex(trace.receipt.act_digest),
        global_sequence: BigInt(trace.receipt.global_sequence),
        recv_sequence: BigInt(trace.receipt.recv_sequence),
        auth_sequence: trace.receipt.auth_sequence.map(([actor, n]) => [
          nameFromString(actor),
          BigInt(n),
        ]),
        code_sequence: trace.receipt.code_sequence,
        abi_sequence: trace.receipt.abi_sequence,
      }
    : undefined,
  receiver: nameFromString(trace.receiver),
  act: {
    account: nameFromString(trace.act.account),
    name: nameFromString(trace.act.name),
    authorization: trace.act.authorization.map(({ actor, permission }) => ({
      actor: nameFromString(actor),
      permission: nameFromString(permission),
    })),
    data: fromHex(trace.act.hex_data),
  },
  context_free: trace.context_free,
  elapsed: trace.elapsed,
  console: Buffer.from(trace.console, 'utf8').toString('latin1'),
  account_ram_deltas: trace.account_ram_deltas.map(deltaOf),
  except: trace.except ? errorOf(trace.except, trace.error_code) : undefined,
  error_code: trace.error_code === null ? undefined : BigInt(trace.error_code),
  return_value: fromHex(trace.return_value_hex_data),
})

const traceOf = (trace: RecordedTrace): TransactionTrace => ({
  id: fromHex(trace.id),
  block_num: trace.block_num,
  block_time: parseBlockTimestamp(trace.block_time),
  producer_block_id: trace.producer_block_id ? fromHex(trace.producer_block_id) : undefined,
  receipt: trace.receipt
    ? {
        status: STATUS_NAMES.indexOf(trace.receipt.status) as 0 | 1 | 2 | 3 | 4,
        cpu_usage_us: trace.receipt.cpu_usage_us,
        net_usage_words: trace.receipt.net_usage_words,
      }
    : undefined,
  elapsed: trace.elapsed,
  net_usage: trace.net_usage,
  scheduled: trace.scheduled,
  action_traces: flatten(trace.action_traces).map(actionTraceOf),
  account_ram_delta: trace.account_ram_delta ? deltaOf(trace.account_ram_delta) : undefined,
  failed_dtrx_trace: undefined,
  except: trace.except ? errorOf(trace.except, trace.error_code) : undefined,
  error_code: trace.error_code === null ? undefined : BigInt(trace.error_code),
})

/** What the recorded trace looks like where no account has an ABI. */
function withoutAbi(trace: RecordedTrace): RecordedTrace {
  const plain = (act: RecordedAction): RecordedAction => {
    const copy = { ...act, act: { ...act.act, data: act.act.hex_data } }
    delete copy.return_value_data
    if (act.inline_traces) {
      // It comes last, and the return value before it is gone.
      delete copy.inline_traces
      copy.inline_traces = act.inline_traces.map(plain)
    }
    return copy
  }
  return { ...trace, action_traces: trace.action_traces.map(plain) }
}

/** What belongs to the reference's own source and threads. */
const SOURCES = /"(timestamp|level|thread_name)":"[^"]*"/g

const thrownAt = (trace: RecordedTrace): number => {
  const context = trace.except?.stack[0]?.context
  return context ? parseTimePoint(String(context.timestamp)) : 0
}

describe('JSON of traces', () => {
  for (const file of ['live.jsonl.gz', 'reads.jsonl.gz']) {
    const traces = recordedTraces(file)

    it(`has the reference's fields in its order: ${traces.length} traces of ${file}`, () => {
      expect(traces.length).to.be.greaterThan(20)
      for (const { path, trace } of traces) {
        const options = {
          abiOf: () => undefined,
          budget: new ConversionBudget(),
          now_us: thrownAt(trace),
        }
        const render = /push_transactions?$/.test(path)
          ? transactionTraceTreeJson
          : transactionTraceJson
        const json = JSON.stringify(render(traceOf(trace), options))
        expect(json.replace(SOURCES, '')).to.equal(
          JSON.stringify(withoutAbi(trace)).replace(SOURCES, ''),
        )
      }
    })
  }

  it('gives every failure the error code of the reference', () => {
    for (const { trace } of recordedTraces('live.jsonl.gz')) {
      if (!trace.except) continue
      const code = errorCodeOf(errorOf(trace.except, trace.error_code))
      expect(code).to.equal(trace.error_code === null ? undefined : BigInt(trace.error_code))
    }
  })

  it('names the kind of a failure of the C++ library that was thrown, whatever its text', () => {
    const text = unknownAccount(nameFromString('nobody'))
    const names = [new UnknownKeyError(text), new ChainError('std_exception', text)].map(
      (error) => exceptJson(error, 0).name,
    )
    expect(names).deep.equal([
      'N5boost10wrapexceptISt12out_of_rangeEE',
      'N5boost10wrapexceptISt11logic_errorEE',
    ])
  })

  it('shows an exception as one text, as push_transactions does', () => {
    const error = new ChainError('abort_called', 'abort() called')
    Object.assign(error.details[0]!, { file: 'cf_system.cpp', line_number: 7, method: 'abort' })
    const data = { console: '46=', account: 'other', action: 'run', receiver: 'other' }
    error.appendLog('${receiver} <= ${account}::${action} pending console output: ${console}', data)
    Object.assign(error.details[1]!, {
      file: 'apply_context.cpp',
      line_number: 134,
      method: 'exec_one',
    })
    expect(exceptDetailString(error)).to.equal(
      '3050008 abort_called: Abort Called\nabort() called\n    {}\n    nodeos  cf_system.cpp:7 abort\n' +
        'other <= other::run pending console output: 46=\n' +
        '    {"console":"46=","account":"other","action":"run","receiver":"other"}\n' +
        '    nodeos  apply_context.cpp:134 exec_one\n',
    )
  })
})

describe('traces: an action that notifies many', () => {
  const recorded = recordedTraces('live.jsonl.gz').find(
    ({ trace }) => trace.action_traces.length > 0,
  )!
  const trace = traceOf(recorded.trace)
  const action = trace.action_traces[0]!
  const notifying = (bytes: number, receivers: number): TransactionTrace => {
    const act = { ...action.act, data: new Uint8Array(bytes) }
    const action_traces = Array.from({ length: receivers }, () => ({ ...action, act }))
    return { ...trace, action_traces }
  }
  const options = () => ({ abiOf: () => undefined, budget: new ConversionBudget(), now_us: 0 })

  it('is converted once', () => {
    const { action_traces } = transactionTraceJson(notifying(1000, 100), options())
    for (const { act } of action_traces) expect(act).equal(action_traces[0]!.act)
  })

  it('is looked at as often as it has a place in the tree, however many there are', () => {
    let looks = 0
    const counted = (one: ActionTrace, i: number): ActionTrace => ({
      ...one,
      action_ordinal: i + 1,
      get closest_unnotified_ancestor_action_ordinal() {
        looks += 1
        return i === 0 ? 0 : 1
      },
    })
    const plain = notifying(0, 300)
    const many = { ...plain, action_traces: plain.action_traces.map(counted) }
    const [root] = transactionTraceTreeJson(many, options()).action_traces
    expect(root!.inline_traces).length(299)
    expect(looks).most(4 * 300)
  })

  it('is refused where the answer would not end', () => {
    const MIB = 1024 * 1024
    expect(transactionTraceJson(notifying(MIB, 16), options()).action_traces).length(16)
    expect(() => transactionTraceJson(notifying(MIB, 17), options())).throw(
      ChainError,
      'the traces show more than 16777216 bytes of actions',
    )
  })
})
