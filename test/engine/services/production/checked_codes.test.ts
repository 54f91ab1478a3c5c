import { expect } from 'chai'
import type { ChainError } from '../../../../src/engine/errors.ts'
import { logOf } from '../../../../src/engine/errors.ts'
import { sha256 } from '../../../../src/engine/crypto/hash.ts'
import { secretOf } from '../../chain/support/test_chain.ts'
import { packAction } from '../../../../src/engine/protocol/action.ts'
import type { BuiltinFeatureName } from '../../../../src/engine/protocol/features.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import type { Action } from '../../../../src/engine/protocol/transaction.ts'
import { packOne } from '../../../../src/engine/protocol/writer.ts'
import {
  I32,
  assembleContract,
  op,
} from '../../../../src/engine/services/production/development/assemble.ts'
import {
  ACTIVATE,
  featureContract,
} from '../../../../src/engine/services/production/development/boot_contract.ts'
import { CodeChecks } from '../../../../src/engine/vm/preparation/code_checks.ts'
import type { CheckedCode } from '../../../../src/engine/vm/preparation/code_checks.ts'
import { LocalPreparer } from '../../../../src/engine/vm/preparation/preparer.ts'
import type { PreparationTask } from '../../../../src/engine/vm/preparation/prepared_code.ts'
import { WasmRuntime } from '../../../../src/engine/vm/runtime.ts'
import { checkCode } from '../../../../src/engine/vm/validate.ts'
import type { CodeRules } from '../../../../src/engine/vm/validate.ts'
import { largeContract } from '../../../support/code_shapes.ts'
import { I64, assemble } from '../../vm/assembler.ts'
import { IDLE } from '../support/programs.ts'
import type { Submission } from '../support/test_producer.ts'
import {
  SECOND_US,
  TestProducer,
  call,
  createAccount,
  nothing,
  setCode,
} from '../support/test_producer.ts'

/** Checks codes as the thread does, some turns of the event loop later. */
class LatePreparer extends LocalPreparer {
  readonly asked: Uint8Array[] = []
  /** Codes that shall be prepared in advance. */
  readonly requested: Uint8Array[] = []
  /** Work before the next answer. */
  beforeAnswer: () => Promise<unknown> = () => Promise.resolve()
  private readonly checks = new CodeChecks()

  override request(task?: PreparationTask): void {
    this.requested.push(task!.getCode().slice())
  }

  check(code: Uint8Array, rules: CodeRules): Promise<CheckedCode | undefined> {
    this.asked.push(code)
    const { beforeAnswer } = this
    return this.checks.ask(
      ({ check, code, rules }) => {
        const answer = structuredClone({
          code_hash: sha256(code),
          result: checkCode(code, rules),
        })
        setImmediate(() => void beforeAnswer().then(() => this.checks.answered({ check, answer })))
      },
      code,
      rules,
    )
  }
}

const empty = { type: 0, code: [] }
const apply: [number[], number[]] = [[I64, I64, I64], []]
/** Codes that are refused under the rules of before or of today, by different checks. */
const REFUSED: Record<string, Uint8Array> = {
  'no module': Uint8Array.of(1, 2, 3),
  'no apply': assemble({ functions: [empty], exports: [] }),
  'apply of another type': assemble({ types: [[[I64, I64], []]], functions: [empty] }),
  'an unknown function': assemble({
    types: [apply, [[], []]],
    imports: [['nowhere', 1]],
    functions: [empty],
  }),
  'a function that is not whitelisted, and a wrong body': assemble({
    types: [apply, [[], [I64]]],
    imports: [['get_sender', 1]],
    functions: [empty],
  }),
  'functions that are not whitelisted, and no apply': assemble({
    types: [apply, [[], [I64]]],
    imports: [
      ['current_time', 1],
      ['get_sender', 1],
      ['get_sender', 1],
    ],
    functions: [empty],
    exports: [],
  }),
  'too much memory': assemble({ functions: [empty], memory: { initial: 529 } }),
  'a wrong body': assemble({ functions: [{ type: 0, code: [0x1a] }] }),
}

describe('codes of submitted transactions', () => {
  let test: TestProducer
  let preparer: LatePreparer
  let wasm: WasmRuntime
  beforeEach(async () => {
    preparer = new LatePreparer()
    wasm = new WasmRuntime({ preparer })
    test = await TestProducer.start({}, undefined, wasm)
    await test.produce()
    await done(test, [createAccount('alice')])
  })
  afterEach(() => test.stop())

  const done = async (
    on: TestProducer,
    ...submission: Parameters<TestProducer['submit']>
  ): Promise<Submission> => {
    const submitted = await on.submit(...submission)
    while (!submitted.done) await on.clock.pass(0)
    return submitted
  }
  const submit = (...submission: Parameters<TestProducer['submit']>): Promise<Submission> =>
    done(test, ...submission)

  const activate = async (on: TestProducer, name: BuiltinFeatureName): Promise<void> => {
    const { chain } = on
    const preactivate = chain.features.byName('PREACTIVATE_FEATURE').digest
    if (!chain.isFeatureActivated(preactivate)) {
      on.producer.loop.features.schedule([preactivate])
      await on.produce(2)
      expect((await done(on, [setCode('eosio', featureContract())])).error).equal(undefined)
    }
    const { digest } = chain.features.byName(name)
    const authorization = [{ actor: N('eosio'), permission: N('active') }]
    const action = { account: N('eosio'), name: ACTIVATE, authorization, data: digest }
    expect((await done(on, [action])).error).equal(undefined)
    await on.produce(2)
    expect(chain.isFeatureActivated(digest)).equal(true)
  }

  it('are not checked on the thread that executes them', async () => {
    const { trace } = await submit([setCode('alice', IDLE)])
    expect(trace!.except).equal(undefined)
    expect(preparer.asked.length).equal(1)
    expect(wasm.checked_here).equal(0)
    expect((await submit([call('alice')])).trace!.except).equal(undefined)
  })

  it('are prepared for their first run if the transaction succeeds, and not again if they were run', async () => {
    const other = assemble({ functions: [empty, empty] })
    expect((await submit([setCode('alice', other), setCode('alice', other)])).error).not.equal(
      undefined,
    )
    expect(preparer.requested.length).equal(0)
    expect((await submit([setCode('alice', IDLE)])).error).equal(undefined)
    expect(preparer.requested.map((code) => Buffer.from(code))).deep.equal([Buffer.from(IDLE)])
    expect((await submit([call('alice')])).error).equal(undefined)
    expect((await submit([setCode('eosio', IDLE)])).error).equal(undefined)
    expect(preparer.requested.length).equal(1)
  })

  it('are all checked, also those of one transaction', async () => {
    const codes = [IDLE, assemble({ functions: [empty, empty] }), new Uint8Array()]
    const { error } = await submit(codes.map((code) => setCode('alice', code)))
    expect(error).equal(undefined)
    expect(preparer.asked.length).equal(2)
    expect(wasm.checked_here).equal(0)
  })

  it('that a contract sets are checked when it does so', async () => {
    const sender = assembleContract(
      [
        { name: 'read_action_data', params: [I32, I32], results: [I32] },
        { name: 'send_inline', params: [I32, I32], results: [] },
      ],
      [
        ...[op.localGet(2), op.i64Const(N('run')), op.i64Ne, op.if, op.return, op.end],
        ...[op.i32Const(16), op.i32Const(16), op.i32Const(1000), op.call(0), op.call(1)],
      ],
    )
    expect((await submit([setCode('eosio', sender)])).error).equal(undefined)
    const inline = (code: Uint8Array): Action => ({
      ...call('eosio'),
      data: packOne(packAction, setCode('eosio', code)),
    })
    const invalid = await submit([inline(REFUSED['no apply']!)])
    expect(invalid.error!.message).contain('apply function not exported')
    expect((await submit([inline(IDLE)])).error).equal(undefined)
    expect(preparer.asked.length).equal(1)
    expect(wasm.checked_here).equal(2)
  })

  it('that a block contains are checked when it is applied', async () => {
    const theirs = new WasmRuntime()
    const other = await TestProducer.start({ signing_keys: new Map() }, undefined, theirs)
    const { trace } = await submit([setCode('alice', IDLE)])
    expect(trace!.except).equal(undefined)
    await test.produce()
    for (let num = 2; num <= test.head; num++) {
      other.clock.time_us = test.clock.time_us
      await other.producer.pushBlock(test.chain.blockByNumber(num)!)
    }
    expect(other.chain.head.id).deep.equal(test.chain.head.id)
    expect(theirs.checked_here).equal(1)
    await other.stop()
  })

  it('are not checked before for a transaction that is refused anyway', async () => {
    const action = setCode('alice', IDLE)
    const stranger = secretOf(7)
    expect((await submit(test.sign([action], { secrets: [stranger] }))).error!.errorName).equal(
      'unsatisfied_authorization',
    )
    expect((await submit(test.sign([setCode('nobody', IDLE)]))).error).not.equal(undefined)
    const expired = test.sign([action], { expires_us: -2 * SECOND_US })
    expect((await submit(expired)).error!.errorName).equal('expired_tx_exception')
    const once = test.sign([action])
    expect((await submit(once)).error).equal(undefined)
    expect((await submit(once)).error!.errorName).equal('tx_duplicate')
    expect(preparer.asked.length).equal(1)
  })

  it('are not checked before for accounts whose transactions failed too often', async () => {
    await test.stop()
    const billing = { bill_api: true, bill_p2p: true, disabled_accounts: new Set<bigint>() }
    const subjective_billing = { ...billing, decay_time_minutes: 1440 }
    test = await TestProducer.start({ subjective_billing }, undefined, wasm)
    await test.produce()
    await submit([createAccount('alice')])
    const errors: string[] = []
    for (let i = 0; i < 5; i++) {
      const { error } = await submit([setCode('alice', IDLE), createAccount('alice')])
      errors.push(error!.errorName)
    }
    expect(errors.slice(0, 3)).deep.equal(Array(3).fill('account_name_exists_exception'))
    expect(errors.slice(3)).deep.equal(Array(2).fill('tx_cpu_usage_exceeded'))
    expect(preparer.asked.length).equal(3)
  })

  it('are checked again where the rules have changed since', async () => {
    const strict = REFUSED['apply of another type']!
    await activate(test, 'CONFIGURABLE_WASM_LIMITS2')
    const config = test.chain.db.global_property.single()
    preparer.beforeAnswer = async () => {
      test.chain.db.global_property.modify(config, (row) => {
        row.wasm_configuration = { ...row.wasm_configuration, max_module_bytes: 10 }
      })
    }
    const { error } = await submit([setCode('alice', strict)])
    expect(error!.message).equal('Code too large')
    expect(wasm.checked_here).equal(1)
  })

  it('are checked when they are set where the answer does not come in time', async () => {
    preparer.beforeAnswer = () => new Promise(() => {})
    const late = await test.submit([setCode('alice', IDLE)])
    await test.clock.pass(1.9 * SECOND_US)
    expect(late.done).equal(false)
    await test.clock.pass(0.7 * SECOND_US)
    expect(late.trace!.receipt).not.equal(undefined)
    expect(wasm.checked_here).equal(1)
  })

  it('are not executed after the node has stopped', async () => {
    preparer.beforeAnswer = () => test.producer.stop()
    const { error } = await submit([setCode('alice', IDLE)])
    expect(error!.errorName).equal('interrupt_exception')
  })

  it('are billed to the transaction by their sizes', async () => {
    const code = largeContract(1_000, 215_000)
    const of_check = Math.ceil((code.length * 20) / 1000)
    const small = await submit([setCode('alice', IDLE)])
    expect(small.trace!.receipt!.cpu_usage_us).equal(100)
    const large = await submit([setCode('alice', code)])
    expect(large.trace!.receipt!.cpu_usage_us).equal(of_check)
    const failing = [nothing('alice'), setCode('alice', code), setCode('alice', IDLE)]
    const { trace } = await submit(failing, { return_failure_trace: true })
    expect(trace!.except!.errorName).equal('set_exact_code')
    expect(trace!.elapsed).equal(of_check + 1)
  })

  for (const rules of ['before', 'of today'] as const) {
    it(`give the errors that they give without such checks, by the rules ${rules}`, async () => {
      const plain = await TestProducer.start()
      await plain.produce()
      const features = rules === 'before' ? [] : (['CONFIGURABLE_WASM_LIMITS2'] as const)
      const story = async (
        on: TestProducer,
      ): Promise<{ texts: string[]; errors: (ChainError | undefined)[] }> => {
        for (const name of features) await activate(on, name)
        if (on === plain) await done(on, [createAccount('alice')])
        const errors: (ChainError | undefined)[] = []
        for (const code of Object.values(REFUSED)) {
          // Alone; after an action that fails; before one.
          errors.push((await done(on, [setCode('alice', code)])).error)
          errors.push((await done(on, [createAccount('alice'), setCode('alice', code)])).error)
          errors.push((await done(on, [setCode('alice', code), createAccount('alice')])).error)
        }
        const texts = errors.map((error) =>
          JSON.stringify([error!.errorName, error!.message, error!.details.map(logOf)]),
        )
        return { texts, errors }
      }
      const here = wasm.checked_here
      const { texts, errors } = await story(test)
      expect(texts).deep.equal((await story(plain)).texts)
      expect(wasm.checked_here).equal(here)
      expect(preparer.asked.length).equal(errors.length + features.length)
      errors.forEach((error, i) => {
        const is_first = i % 3 === 1
        expect(error!.errorName === 'account_name_exists_exception').equal(is_first)
      })
      await plain.stop()
    })
  }
})
