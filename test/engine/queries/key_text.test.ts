import { expect } from 'chai'
import {
  doubleFromText,
  hashFromText,
  wideIntegerFromText,
} from '../../../src/engine/queries/key_text.ts'
import { refusalOf } from '../refusal.ts'

const CONTENT = 'Unexpected content found while parsing character string.'
const CHARACTER = 'Unexpected character encountered in input.'

/** The texts of the error for a bound, as the reference has them. */
function refused(text: string, bits: number) {
  const { errorName, what, details } = refusalOf(() =>
    wideIntegerFromText(text, bits, 'lower_bound'),
  )
  return { errorName, what, message: details[0]!.message }
}

describe('queries: bounds of 128 and 256 bits', () => {
  it('are decimal, hexadecimal or octal', () => {
    for (const [text, value] of [
      ['0', 0n],
      ['00', 0n],
      ['10', 10n],
      ['010', 8n],
      ['0x10', 16n],
      ['0X1f', 31n],
      ['340282366920938463463374607431768211455', 2n ** 128n - 1n],
    ] as const) {
      for (const bits of [128, 256]) expect(wideIntegerFromText(text, bits, '')).equal(value)
    }
    expect(wideIntegerFromText(`0x${'f'.repeat(64)}`, 256, '')).equal(2n ** 256n - 1n)
  })

  it('text that is not a number is refused with the name and the texts of the reference', () => {
    const context = (text: string) =>
      `: Could not convert lower_bound string '${text}' to key type.`
    for (const text of [
      'x',
      '+1',
      ' 1',
      '1 ',
      '1.5',
      '1e3',
      'ff',
      '-x',
      '1_0',
      '08',
      '0b1',
      '0x0g',
    ]) {
      for (const bits of [128, 256]) {
        const reason = bits === 256 && text[0] !== '0' ? CHARACTER : CONTENT
        expect(refused(text, bits), text).deep.equal({
          errorName: 'N5boost10wrapexceptISt13runtime_errorEE',
          what: reason,
          message: reason + context(text),
        })
      }
    }
  })

  it('a number that is negative or too wide is refused; the reference keeps its low bits', () => {
    const wide = [String(2n ** 128n), `0x1${'0'.repeat(32)}`, '9'.repeat(90)]
    for (const text of ['-1', '-0x1', ...wide]) {
      const message = `Could not convert lower_bound string '${text}' to key type.`
      expect(refused(text, 128)).deep.equal({ errorName: 'std_exception', what: message, message })
    }
  })
})

describe('queries: bounds that cannot be converted', () => {
  it('are named in a second detail', () => {
    const messages = (f: () => unknown) => refusalOf(f).details.map(({ message }) => message)
    const context = "Could not convert lower_bound string '1.x' to key type."
    expect(messages(() => doubleFromText('1.x', 'lower_bound'))).deep.equal([
      "Couldn't parse double",
      context,
    ])
    for (const size of [20, 32]) {
      const [reason, second] = messages(() => hashFromText('1.x', size, 'lower_bound'))
      expect(reason).include('even number')
      expect(second).equal(context)
    }
  })
})
