/** The actions that give an account a balance of a token, for contracts with the interface of eosio.token. */
import { check } from '../../errors.ts'
import { encodeAction } from '../../json/signed_transaction.ts'
import { assetToString, unpackAsset, type Asset } from '../../protocol/asset.ts'
import { N, nameToString } from '../../protocol/name.ts'
import { Reader } from '../../protocol/reader.ts'
import type { Action } from '../../protocol/transaction.ts'
import type { Database } from '../../state/database.ts'
import { rowBytes } from '../../queries/system_tables.ts'
import { abiOf } from './accounts.ts'

const ACCOUNTS = N('accounts')
const STAT = N('stat')
const MEMO = 'set_balance'

/**
 * The actions after which an account has a balance: what is missing is issued, or moved from the richest holder where
 * it cannot be issued; what is too much goes to the issuer, who retires it.
 * @throws ChainError contract_table_query_exception if there is no such token, or no holder has enough of it
 */
export function setBalanceActions(
  db: Database,
  contract: bigint,
  account: bigint,
  wanted: Asset,
): Action[] {
  const { symbol } = wanted
  const code = symbol >> 8n
  const stat = rowBytes({ db }, contract, code, STAT, code)
  const known = stat && new Reader(stat)
  const supply = known && unpackAsset(known)
  check(
    known && supply?.symbol === symbol,
    'contract_table_query_exception',
    () => `${nameToString(contract)} has no token with the symbol of ${assetToString(wanted)}`,
  )
  const max_supply = unpackAsset(known)
  const issuer = known.name()
  const missing = wanted.amount - balanceOf(db, contract, account, code)
  const act = (actor: bigint, name: string, data: object): Action =>
    encodeAction(
      {
        account: nameToString(contract),
        name,
        authorization: [{ actor: nameToString(actor), permission: 'active' }],
        data: { ...data, memo: MEMO },
      },
      abiOf(db, contract),
    )
  const asset = (amount: bigint): string => assetToString({ amount, symbol })
  const move = (from: bigint, to: bigint, amount: bigint): Action[] =>
    from === to
      ? []
      : [
          act(from, 'transfer', {
            from: nameToString(from),
            to: nameToString(to),
            quantity: asset(amount),
          }),
        ]
  if (missing === 0n) return []
  if (missing < 0n) {
    const quantity = asset(-missing)
    return [...move(account, issuer, -missing), act(issuer, 'retire', { quantity })]
  }
  // Some contracts have 0 for no maximum.
  if (max_supply.amount === 0n || supply.amount + missing <= max_supply.amount) {
    const issue = act(issuer, 'issue', { to: nameToString(issuer), quantity: asset(missing) })
    return [issue, ...move(issuer, account, missing)]
  }
  const holder = richest(db, contract, code, account)
  check(
    holder !== undefined && holder.amount >= missing,
    'contract_table_query_exception',
    () =>
      `no more than ${assetToString(max_supply)} can be issued, and no other holder has ${asset(missing)}`,
  )
  return move(holder.account, account, missing)
}

function balanceOf(db: Database, contract: bigint, account: bigint, code: bigint): bigint {
  const bytes = rowBytes({ db }, contract, account, ACCOUNTS, code)
  return bytes ? unpackAsset(new Reader(bytes)).amount : 0n
}

/** The holder of the most of a token, other than `except`. */
function richest(
  db: Database,
  contract: bigint,
  code: bigint,
  except: bigint,
): { account: bigint; amount: bigint } | undefined {
  let best: { account: bigint; amount: bigint } | undefined
  for (const { table, scope } of db.table_id.range(
    'by_code_scope_table',
    [contract],
    [contract],
    false,
  )) {
    if (table !== ACCOUNTS || scope === except) continue
    const amount = balanceOf(db, contract, scope, code)
    if (best === undefined || amount > best.amount) best = { account: scope, amount }
  }
  return best
}
