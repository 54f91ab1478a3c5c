import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { ChainError, errorOf, logOf, recordOf } from '../../../src/engine/errors.ts'
import { DEFAULT_WASM_CONFIG } from '../../../src/engine/protocol/config.ts'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { CodeChecks } from '../../../src/engine/vm/preparation/code_checks.ts'
import type { CheckedCode } from '../../../src/engine/vm/preparation/code_checks.ts'
import type { CheckMessage } from '../../../src/engine/vm/preparation/preparer_message.ts'
import { PreparerThread } from '../../../src/engine/vm/preparation/preparer_thread.ts'
import { refusal } from '../../../src/engine/vm/refuse.ts'
import { checkCode, concludeCheck, sameRules } from '../../../src/engine/vm/validate.ts'
import type { CodeCheck, CodeRules } from '../../../src/engine/vm/validate.ts'
import { I64, assemble } from './assembler.ts'

const TODAY: CodeRules = { config: DEFAULT_WASM_CONFIG, speculative: true }
const BEFORE: CodeRules = { config: undefined, speculative: true }
const TOKEN = readFileSync('node_modules/proton-tsc/external/eosio.token/eosio.token.wasm')
const empty = { type: 0, code: [] }

describe('the check of a code', () => {
  it('wants each import whitelisted, in the order of the code, before anything else', () => {
    const types: [number[], number[]][] = [
      [[I64, I64, I64], []],
      [[], [I64]],
    ]
    const imports: [string, number][] = [
      ['current_time', 1],
      ['get_sender', 1],
      ['current_time', 1],
    ]
    const checked = checkCode(assemble({ types, imports, functions: [empty], exports: [] }), TODAY)
    expect(checked.imports).deep.equal([
      { module: 'env', field: 'current_time' },
      { module: 'env', field: 'get_sender' },
    ])
    const messageFor = (known: string[]): string => {
      try {
        concludeCheck(checked, (name) => known.includes(name))
      } catch (error) {
        return (error as Error).message
      }
      return 'accepted'
    }
    expect(messageFor([])).equal('env.current_time unresolveable')
    expect(messageFor(['current_time'])).equal('env.get_sender unresolveable')
    expect(messageFor(['current_time', 'get_sender'])).equal('apply not exported')
  })

  it('is by rules that are the same only in all of their numbers', () => {
    expect(sameRules(TODAY, structuredClone(TODAY))).equal(true)
    expect(sameRules(BEFORE, { ...BEFORE })).equal(true)
    expect(sameRules(TODAY, BEFORE)).equal(false)
    expect(sameRules(BEFORE, TODAY)).equal(false)
    expect(sameRules(TODAY, { ...TODAY, speculative: false })).equal(false)
    for (const field of Object.keys(DEFAULT_WASM_CONFIG)) {
      const config = { ...DEFAULT_WASM_CONFIG, [field]: 5 }
      expect(sameRules(TODAY, { ...TODAY, config }), field).equal(false)
    }
  })
})

describe('an error as a record', () => {
  it('becomes the same error again', () => {
    const data = { text: 'a ${b} c', number: 5n, list: [1, { deep: true }] }
    const first = refusal('wasm_execution_error', 'of ${text} and ${list} ${unknown}', data)
    const all = [first, new ChainError('wasm_serialization_error', 'plain ${b}').append('later')]
    first.appendLog('then ${number}', data)
    for (const error of all) {
      const again = errorOf(structuredClone(recordOf(error)))
      expect(again).instanceOf(ChainError)
      const partsOf = ({ errorName, code, what, message, details }: ChainError): unknown => ({
        ...{ errorName, code, what, message, details },
        logs: details.map(logOf),
      })
      expect(partsOf(again)).deep.equal(partsOf(error))
    }
  })
})

describe('checks of codes that another thread does', () => {
  const result: CodeCheck = { imports: [], failure: undefined }

  it('are as many as a limit permits, by number and by bytes', async () => {
    for (const [size, most] of [
      [100, 16],
      [600_000, 3],
    ] as const) {
      const checks = new CodeChecks()
      const posted: CheckMessage[] = []
      const ask = (): Promise<CheckedCode | undefined> =>
        checks.ask((message) => posted.push(message), new Uint8Array(size), TODAY)
      const asked = Array.from({ length: 20 }, ask)
      expect(posted.length).equal(most)
      const refused = await Promise.all(asked.slice(most))
      expect(refused.every((answer) => answer === undefined)).equal(true)
      const code_hash = new Uint8Array(32)
      for (const { check } of posted) {
        checks.answered({ check, answer: { code_hash, result } })
      }
      const answers = await Promise.all(asked.slice(0, most))
      expect(answers.map((answer) => answer?.size)).deep.equal(Array(most).fill(size))
      // Now there is room again.
      void ask()
      expect(posted.length).equal(most + 1)
      checks.endAll()
    }
  })

  it('have the rules of the time of the request, and cost 20 ns a byte', async () => {
    const checks = new CodeChecks()
    const rules = structuredClone(TODAY) as { config: { max_pages: number } } & CodeRules
    const posted: CheckMessage[] = []
    const asked = checks.ask((message) => posted.push(message), new Uint8Array(100_000), rules)
    rules.config.max_pages = 1
    const answer = { code_hash: new Uint8Array(32), result }
    checks.answered({ check: posted[0]!.check, answer })
    const checked = await asked
    expect(checked!.rules).deep.equal(TODAY)
    expect(checked!.cpu_usage_us).equal(2_000)
    // A second answer is one that nobody waits for.
    checks.answered({ check: posted[0]!.check, answer })
  })

  it('have no result where the thread failed or ended', async () => {
    const checks = new CodeChecks()
    const posted: CheckMessage[] = []
    const ask = (): Promise<CheckedCode | undefined> =>
      checks.ask((message) => posted.push(message), new Uint8Array(1), TODAY)
    const both = [ask(), ask()]
    checks.answered({ check: posted[0]!.check, answer: undefined })
    expect(await both[0]).equal(undefined)
    checks.endAll()
    expect(await both[1]).equal(undefined)
  })

  it('answer on the thread what they answer here', async () => {
    const log: string[] = []
    const thread = new PreparerThread({ log: (level, message) => log.push(`${level} ${message}`) })
    const refused = assemble({ functions: [empty], exports: [] })
    for (const code of [TOKEN, refused, Uint8Array.of(1)]) {
      for (const rules of [TODAY, BEFORE]) {
        const { size, code_hash, result } = (await thread.check(code, rules))!
        expect(size).equal(code.length)
        expect(Buffer.from(code_hash)).deep.equal(Buffer.from(sha256(code)))
        expect(result).deep.equal(checkCode(code, rules))
      }
    }
    const last = thread.check(TOKEN, TODAY)
    const closed = thread.close()
    expect(await last).equal(undefined)
    await closed
    await turn()
    expect(await thread.check(TOKEN, TODAY)).equal(undefined)
    expect(log).deep.equal([])
  })
})
