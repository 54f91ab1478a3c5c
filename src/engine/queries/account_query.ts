import { fail } from '../errors.ts'

/**
 * @throws account_query_exception
 * @param what the requested object, in the reference's words
 * @param reason the text of the failure that the reference wraps
 */
export function failAccountQuery(what: string, reason: string): never {
  fail('account_query_exception', `unable to retrieve account ${what} (${reason})`)
}
