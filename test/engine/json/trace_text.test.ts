import { expect } from 'chai'
import fc from 'fast-check'
import type { ActionTraceJson, TransactionTraceJson } from '../../../src/engine/json/trace.ts'
import { transactionTraceText } from '../../../src/engine/json/trace_text.ts'

/** Any units of UTF-16, also halves of pairs: what contracts and clients choose. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)) }),
  fc.constantFrom('"', '\\', '\u0000\u001f\u007f', '\u2028\u2029', '\ud800', '</script>'),
)
const name = fc.string({
  unit: fc.constantFrom(...'.12345abcdefghijklmnopqrstuvwxyz'),
  maxLength: 13,
})
const hex = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const time = fc.constantFrom('2026-01-01T00:00:00.500', '1970-01-01T00:00:00.000')
/** 64 bits: those above 32 bits are texts. */
const integer = fc.oneof(
  fc.integer({ min: -0xffff_ffff, max: 0xffff_ffff }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }).map(String),
)
const count = fc.nat(0xffff_ffff)
const nullable = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary)
const few = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(arbitrary, { maxLength: 3 })
/** Objects as from JSON.parse, which has keys such as `__proto__` as its own. */
const data = fc.oneof(
  fc.jsonValue(),
  fc
    .tuple(fc.oneof(text, fc.constant('__proto__')), text)
    .map(
      ([key, value]) => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`) as object,
    ),
)
const except = fc.record({ code: count, name: text, message: text, stack: few(data) })
const delta = fc.record({ account: name, delta: integer })
const receipt = fc.record({
  receiver: name,
  act_digest: hex,
  global_sequence: integer,
  recv_sequence: integer,
  auth_sequence: few(fc.tuple(name, integer)),
  code_sequence: count,
  abi_sequence: count,
})
const act = fc.record({
  account: name,
  name,
  authorization: few(fc.record({ actor: name, permission: name })),
  data,
  hex_data: hex,
})
const common = fc.record({
  trx_id: hex,
  block_num: count,
  block_time: time,
  producer_block_id: nullable(hex),
})

type Common = typeof common extends fc.Arbitrary<infer T> ? T : never

/** Action traces of one transaction, `depth` levels of inline actions in them. */
function actionTraces(same: Common, depth: number): fc.Arbitrary<unknown[]> {
  const fields = {
    action_ordinal: count,
    creator_action_ordinal: count,
    closest_unnotified_ancestor_action_ordinal: count,
    receipt: nullable(receipt),
    receiver: name,
    act,
    context_free: fc.boolean(),
    elapsed: integer,
    console: text,
    ...Object.fromEntries(Object.entries(same).map(([key, value]) => [key, fc.constant(value)])),
    account_ram_deltas: few(delta),
    except: nullable(except),
    error_code: nullable(integer),
    return_value_hex_data: hex,
    return_value_data: data,
    ...(depth > 0 ? { inline_traces: actionTraces(same, depth - 1) } : {}),
  }
  const optional = ['return_value_data', 'inline_traces']
  const requiredKeys = Object.keys(fields).filter((key) => !optional.includes(key))
  // Notifications have the action's object.
  return few(fc.record(fields, { requiredKeys: requiredKeys as never[] })).chain((traces) =>
    fc.boolean().map((notified) => {
      const [first] = traces as unknown as ActionTraceJson[]
      return notified && first ? traces.map((trace) => ({ ...trace, act: first.act })) : traces
    }),
  )
}

function transactionTraces(failed: boolean): fc.Arbitrary<unknown> {
  return common.chain((same) => {
    const fields = {
      id: fc.constant(same.trx_id),
      block_num: fc.constant(same.block_num),
      block_time: fc.constant(same.block_time),
      producer_block_id: fc.constant(same.producer_block_id),
      receipt: nullable(
        fc.record({
          status: fc.constantFrom('executed', 'soft_fail', 'hard_fail', 'delayed', 'expired'),
          cpu_usage_us: count,
          net_usage_words: count,
        }),
      ),
      elapsed: integer,
      net_usage: integer,
      scheduled: fc.boolean(),
      action_traces: actionTraces(same, 2),
      account_ram_delta: nullable(delta),
      ...(failed ? { failed_dtrx_trace: transactionTraces(false) } : {}),
      except: nullable(except),
      error_code: nullable(integer),
    }
    return fc.record(fields) as fc.Arbitrary<unknown>
  })
}

describe('the text of a trace', () => {
  it('is that of JSON.stringify, whatever contracts and clients write into it', () => {
    const any = fc.boolean().chain(transactionTraces)
    fc.assert(
      fc.property(any, (trace) => {
        expect(transactionTraceText(trace as TransactionTraceJson)).equal(JSON.stringify(trace))
      }),
      { numRuns: 300 },
    )
  })
})
