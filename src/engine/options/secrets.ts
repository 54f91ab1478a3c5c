/**
 * The text forms of private keys: `PVT_…`, and the older form, a 5 and 50 characters of base58. The
 * letter of an option may precede it.
 */
const PRIVATE_KEY =
  /PVT_[\w-]+|(?<=^|[^0-9A-Za-z_]|-[a-z])5[1-9A-HJ-NP-Za-km-z]{49,51}(?![0-9A-Za-z])/g

/** The text without private keys. They may occur at unexpected places, as in a mistyped option. */
export function hideKeys(text: string): string {
  return text.replace(PRIVATE_KEY, '(private key)')
}
