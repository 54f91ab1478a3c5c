/** Control characters but tabs and line feeds: a terminal would obey them. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** A text with each control character as `\\x` and its number, so that a terminal shows it and does nothing else. */
export function visibleText(text: string): string {
  return text.replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
