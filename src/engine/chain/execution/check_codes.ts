/**
 * Checks the codes of submitted transactions on another thread, while this one does other work. Nothing of it
 * decides about a transaction: where it does not happen, the code is checked when `setcode` is executed.
 */
import { ChainError } from '../../errors.ts'
import { SYSTEM_ACCOUNT } from '../../protocol/constants.ts'
import { N } from '../../protocol/name.ts'
import type { Transaction } from '../../protocol/transaction.ts'
import type { CheckedCode } from '../../vm/preparation/code_checks.ts'
import type { WasmRuntime } from '../../vm/runtime.ts'
import { unpackSetCode } from '../base/native_action_data.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'
import { checkAuthorization } from '../rules/authorization.ts'
import { permissionsOfAnyAccount } from './any_account.ts'
import { codeRules } from './contract_code.ts'
import type { RuleSource } from './contract_code.ts'
import type { SubjectiveRules } from './subjective_rules.ts'

/** The parts of a chain on which this depends. */
export interface CodeCheckSource extends RuleSource {
  readonly runtime: Pick<WasmRuntime, 'checkAhead'>
  readonly rules: SubjectiveRules
}

const SETCODE = N('setcode')

/** Whether a transaction has actions that set code. */
export function setsCode({ actions }: Transaction): boolean {
  return actions.some(({ account, name }) => account === SYSTEM_ACCOUNT && name === SETCODE)
}

/**
 * The transaction with the codes that could be checked. Only a transaction that is authorized causes this work,
 * which is billed to it when it is executed.
 */
export async function checkCodes(
  chain: CodeCheckSource,
  meta: TransactionMetadata,
): Promise<TransactionMetadata> {
  const codes = codesOf(meta.trx)
  if (codes.length === 0 || !isAuthorized(chain, meta)) return meta
  const rules = codeRules(chain, true)
  const checked = await Promise.all(codes.map((code) => chain.runtime.checkAhead(code, rules)))
  return { ...meta, checked_codes: checked.filter((code): code is CheckedCode => !!code) }
}

function codesOf({ actions }: Transaction): Uint8Array[] {
  const codes: Uint8Array[] = []
  for (const { account, name, data } of actions) {
    if (account !== SYSTEM_ACCOUNT || name !== SETCODE) continue
    const code = quietly(() => unpackSetCode(data).code)
    if (code !== undefined && code.length > 0) codes.push(code)
  }
  return codes
}

function isAuthorized(chain: CodeCheckSource, meta: TransactionMetadata): boolean {
  const { rules } = chain
  const of_any_account = permissionsOfAnyAccount({ speculative: true, rules }, meta)
  const checked = quietly(() => {
    checkAuthorization(chain, {
      actions: meta.trx.actions,
      provided_keys: meta.recovered_keys,
      satisfied_authorizations: of_any_account,
      allow_unused_keys: of_any_account.length > 0,
    })
    return true
  })
  return checked ?? false
}

/** The result; undefined if the chain refuses it, which becomes an error when the transaction is executed. */
function quietly<T>(f: () => T): T | undefined {
  try {
    return f()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return undefined
  }
}
