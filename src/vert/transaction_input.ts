import type { Action as LibraryAction, Transaction as LibraryTransaction } from '@wharfkit/antelope'
import { Reader } from '../engine/protocol/reader.ts'
import { unpackTransaction, plainTransaction } from '../engine/protocol/transaction.ts'
import type { Action, Transaction } from '../engine/protocol/transaction.ts'
import { antelope } from './antelope.ts'
import { bigIntToName } from './numbers.ts'

/** A transaction of one action, as `send` makes it. */
export function transactionOf(action: Action): Transaction {
  return {
    expiration: 0,
    ref_block_num: 0,
    ref_block_prefix: 0,
    ...plainTransaction([action]),
  }
}

/** The engine's form of a transaction, of any copy of the library. */
export function unpackLibraryTransaction(transaction: LibraryTransaction): Transaction {
  const packed = antelope.Serializer.encode({ object: transaction }).array
  return unpackTransaction(new Reader(packed))
}

/** The library's form of a transaction. */
export function libraryTransaction(transaction: Transaction): LibraryTransaction {
  const { context_free_actions, actions, transaction_extensions, ...header } = transaction
  return antelope.Transaction.from({
    ...header,
    context_free_actions: context_free_actions.map(libraryAction),
    actions: actions.map(libraryAction),
    transaction_extensions: transaction_extensions.map(([type, data]) => ({ type, data })),
  })
}

function libraryAction({ account, name, authorization, data }: Action): LibraryAction {
  return antelope.Action.from({
    account: bigIntToName(account),
    name: bigIntToName(name),
    authorization: authorization.map(({ actor, permission }) => ({
      actor: bigIntToName(actor),
      permission: bigIntToName(permission),
    })),
    data,
  })
}
