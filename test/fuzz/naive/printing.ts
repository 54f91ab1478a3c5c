import {
  FLOAT128,
  FLOAT80,
  compareFractions,
  over,
  roundedFraction,
  takeApart,
} from './float_format.ts'
import type { FloatFormat, Fraction } from './float_format.ts'
import { convert } from './float_arithmetic.ts'

const CHARACTERS = '.12345abcdefghijklmnopqrstuvwxyz'

/** An account name's text: twelve characters of five bits and one of four, without dots at the end. */
export function nameText(value: bigint): string {
  let text = ''
  for (let i = 0; i < 12; i++) text += CHARACTERS[Number((value >> BigInt(59 - 5 * i)) & 31n)]
  text += CHARACTERS[Number(value & 15n)]
  return text.replace(/\.+$/, '')
}

export function hexText(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function powerOfTen(power: number): Fraction {
  return power >= 0
    ? { num: 10n ** BigInt(power), den: 1n }
    : { num: 1n, den: 10n ** BigInt(-power) }
}

/** As C++ streams print: one digit, a point, `digits` more, and an exponent of two digits or more. */
export function scientificText(bits: bigint, f: FloatFormat, digits: number): string {
  const { kind, negative, magnitude } = takeApart(bits, f)
  const sign = negative ? '-' : ''
  if (kind === 'nan') return `${sign}nan`
  if (kind === 'infinity') return `${sign}inf`
  if (magnitude.num === 0n) return `${sign}0.${'0'.repeat(digits)}e+00`
  let power = magnitude.num.toString().length - magnitude.den.toString().length
  while (compareFractions(powerOfTen(power), magnitude) > 0n) power--
  while (compareFractions(powerOfTen(power + 1), magnitude) <= 0n) power++
  let text = roundedFraction(over(magnitude, powerOfTen(power - digits))).toString()
  if (text.length > digits + 1) {
    power++
    text = text.slice(0, -1)
  }
  const exponent = (power < 0 ? '-' : '+') + String(Math.abs(power)).padStart(2, '0')
  return `${sign}${text[0]}.${text.slice(1)}e${exponent}`
}

/** Quads are printed as x87 holds them. */
export function quadText(bits: bigint): string {
  return scientificText(convert(bits, FLOAT128, FLOAT80), FLOAT80, 18)
}
