/** The texts of failed assertions, as tests expect them. */

/** The text of `eosio_assert`, which `check(condition, "literal")` calls. */
export function antelopeAssert(text: string): string {
  return `eosio_assert: ${text}`
}

/** The text of `eosio_assert_message`, which `check(condition, std::string)` calls. */
export function antelopeAssertMessage(text: string): string {
  return `eosio_assert_message: ${text}`
}

/** The text of an assertion with a number. */
export function antelopeAssertCode(code: bigint | number): string {
  return `eosio_assert_code: ${code}`
}

export {
  antelopeAssert as protonAssert,
  antelopeAssertCode as protonAssertCode,
  antelopeAssertMessage as protonAssertMessage,
}
