/** Parts of JSON texts that are written without JSON.stringify. */

/** Names, times, keys and hexadecimal digits: texts without characters that JSON escapes. */
export const plain = (text: string): string => `"${text}"`

/** A number, or the text of one. */
export const integer = (value: number | string): string =>
  typeof value === 'number' ? String(value) : plain(value)

/** An array of what `textOf` makes of its items. */
export function list<T>(items: readonly T[], textOf: (item: T) => string): string {
  let text = ''
  for (const item of items) text += text === '' ? textOf(item) : `,${textOf(item)}`
  return `[${text}]`
}
