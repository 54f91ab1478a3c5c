const SPACES = ' \t\n\v\f\r'

/**
 * A text without the white space around it: the six characters of C's isspace, and no other. No
 * pattern, since one takes time quadratic in the white space within the text.
 */
export function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && SPACES.includes(text[start] as string)) start++
  while (end > start && SPACES.includes(text[end - 1] as string)) end--
  return text.slice(start, end)
}
