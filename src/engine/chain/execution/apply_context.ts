import type { Database } from '../../state/database.ts'
import type { Row } from '../../state/object_table.ts'
import type { AccountMetadata } from '../../state/rows.ts'
import type { PermissionLevel } from '../../protocol/authority.ts'
import type { Action, Transaction } from '../../protocol/transaction.ts'
import type { CodeHashResult, HostContext, PrivilegedHost } from '../../vm/host_context.ts'
import type { BuiltinFeatureName } from '../../protocol/features.ts'
import type { BlockContext } from './block_context.ts'
import type { NativeContext } from './native/native_context.ts'
import type { AccountDelta, ActionTrace } from '../base/trace.ts'
import type { RunningAction } from './running_action.ts'
import type { RunningTransaction } from './running_transaction.ts'
import { ChainError } from '../../errors.ts'
import { NO_BYTES, latin1ToBytes } from '../../protocol/hex.ts'
import { N, nameToString } from '../../protocol/name.ts'
import { bytesToText } from '../../protocol/text.ts'
import { SYSTEM_ACCOUNT } from '../../protocol/constants.ts'
import { ACCOUNT_FLAG_PRIVILEGED } from '../../state/rows.ts'
import { ContractDatabase } from '../../vm/contract_database.ts'
import { makeReceipt } from './action_receipts.ts'
import {
  accountCreationTime,
  checkPermissionAuthorization,
  checkTransactionAuthorization,
  permissionLastUsed,
} from './authorization_api.ts'
import { cancelDeferred, scheduleDeferred } from './deferred.ts'
import { errorCodeOf } from '../base/error_code.ts'
import { codeHash, validateCode } from './contract_code.ts'
import { getCode, hasCode } from '../rules/codes.ts'
import { validateContextFreeInline, validateInline } from './inline_actions.ts'
import { nativeActions } from './native.ts'
import { PrivilegedApi } from './privileged_api.ts'
import { checkDbPayer, checkRamPayers } from './ram_payers.ts'
import { addDetail, ensure, refuse } from '../base/refuse.ts'
import { failUnknownAccount } from '../base/unknown_key.ts'
import { checkActionList, checkContractList, checkKeyList } from './subjective_lists.ts'

const SETCODE = N('setcode')
/** As many names are compared faster one by one. */
const FEW = 8
const NO_DELTAS: AccountDelta[] = []

/**
 * One action and the receivers that it notifies, while they run (spring: apply_context.cpp).
 * Order: the code's account, notified receivers in order of notification, context-free inline
 * actions, then inline actions; the latter two after all receivers, depth first.
 */
export class ApplyContext implements HostContext, NativeContext, RunningAction {
  readonly db: Database
  readonly block: BlockContext
  readonly tx: RunningTransaction
  readonly act: Action
  readonly context_free: boolean
  receiver: bigint
  privileged = false
  protected trace: ActionTrace
  private readonly recurse_depth: number
  private readonly first_receiver_action_ordinal: number
  private readonly notified: ActionTrace[] = []
  /** Receivers in `notified`; made when they are more than a few. */
  private receivers: Set<bigint> | undefined
  private readonly inline_ordinals: number[] = []
  private readonly context_free_inline_ordinals: number[] = []
  private ram_deltas = NO_DELTAS
  private console = ''
  private return_value: Uint8Array = NO_BYTES
  private contract_database: ContractDatabase | undefined
  private privileged_host: PrivilegedHost | undefined

  constructor(tx: RunningTransaction, trace: ActionTrace, recurse_depth: number) {
    this.tx = tx
    this.block = tx.block
    this.db = tx.db
    this.trace = trace
    this.act = trace.act
    this.receiver = trace.receiver
    this.context_free = trace.context_free
    this.recurse_depth = recurse_depth
    this.first_receiver_action_ordinal = trace.action_ordinal
  }

  /**
   * Runs the action on all its receivers, then the actions that they sent.
   * @throws ChainError the reason why an action failed; transaction_exception for actions that are
   *   nested too deeply
   */
  exec(): void {
    const { notified, tx } = this
    notified.push(this.trace)
    this.execOne()
    // Receivers may notify further ones.
    for (let i = 1; i < notified.length; i++) {
      this.trace = notified[i]!
      this.receiver = this.trace.receiver
      this.execOne()
    }
    if (this.inline_ordinals.length === 0 && this.context_free_inline_ordinals.length === 0) return
    const { max_inline_action_depth } = this.db.global_property.single().configuration
    ensure(
      this.recurse_depth < max_inline_action_depth,
      'transaction_exception',
      'max inline action depth per transaction reached',
    )
    const depth = this.recurse_depth + 1
    for (const ordinal of this.context_free_inline_ordinals) tx.executeAction(ordinal, depth)
    for (const ordinal of this.inline_ordinals) tx.executeAction(ordinal, depth)
  }

  private execOne(): void {
    const started = this.block.clock()
    let receiver: Row<AccountMetadata>
    try {
      this.tx.cpu.checktimeAt(started)
      this.return_value = NO_BYTES
      const account = this.db.account_metadata.find('by_name', this.receiver)
      if (!account) failUnknownAccount(this.receiver)
      if (!(this.context_free && this.tx.skip_checks)) this.run(account)
      receiver = account
    } catch (error) {
      if (error instanceof ChainError) this.noteFailure(error, started)
      throw error
    }
    this.trace.return_value = this.return_value
    makeReceipt(this.tx, this.trace, receiver)
    this.finishTrace(started)
  }

  private noteFailure(error: ChainError, started: number): void {
    addDetail(error, '${receiver} <= ${account}::${action} pending console output: ${console}', {
      console: bytesToText(latin1ToBytes(this.console)),
      account: nameToString(this.act.account),
      action: nameToString(this.act.name),
      receiver: nameToString(this.receiver),
    })
    this.trace.error_code = errorCodeOf(error)
    this.trace.except = error
    this.finishTrace(started)
  }

  /** The native action, then the contract, then the rule about who pays for RAM. */
  private run(account: Row<AccountMetadata>): void {
    const { act, block, receiver } = this
    this.privileged = (account.flags & ACCOUNT_FLAG_PRIVILEGED) !== 0
    const is_system = receiver === SYSTEM_ACCOUNT && act.account === SYSTEM_ACCOUNT
    const native = is_system ? nativeActions.get(act.name) : undefined
    if (native) {
      this.checkLists()
      native(this)
    }
    if (hasCode(account) && this.runsContract(is_system)) {
      this.checkLists()
      block.runtime.apply(account.code_hash, () => getCode(this.db, account).code, this)
    }
    if (!this.privileged && this.ram_deltas.length > 0 && block.isActivated('RAM_RESTRICTIONS'))
      checkRamPayers(this, this.ram_deltas)
  }

  /** Before FORWARD_SETCODE the system contract does not see its own setcode. */
  private runsContract(is_system: boolean): boolean {
    if (!is_system || this.act.name !== SETCODE) return true
    return this.block.isActivated('FORWARD_SETCODE')
  }

  private checkLists(): void {
    if (!this.tx.enforce_whiteblacklist || !this.block.speculative) return
    checkContractList(this.block.rules, this.receiver)
    checkActionList(this.block.rules, this.act.account, this.act.name)
  }

  private finishTrace(started: number): void {
    const { trace } = this
    trace.account_ram_deltas = this.ram_deltas
    this.ram_deltas = NO_DELTAS
    trace.console = this.console
    this.console = ''
    trace.elapsed = this.block.clock() - started
  }

  /** Bills RAM bytes; the limit is checked at the end of the transaction. */
  addRamUsage(account: bigint, delta: number): void {
    this.tx.addRamUsage(account, delta)
    if (this.ram_deltas === NO_DELTAS) this.ram_deltas = []
    const deltas = this.ram_deltas
    let at = 0
    while (at < deltas.length && deltas[at]!.account < account) at++
    const same = deltas[at]
    if (same && same.account === account) same.delta += delta
    else deltas.splice(at, 0, { account, delta })
  }

  updateDbUsage(payer: bigint, delta: number): void {
    if (delta > 0 && !this.privileged && payer !== this.receiver) checkDbPayer(this, payer)
    this.addRamUsage(payer, delta)
  }

  isAccount(account: bigint): boolean {
    return this.db.account.find('by_name', account) !== undefined
  }

  hasAuth(account: bigint): boolean {
    for (const { actor } of this.act.authorization) if (actor === account) return true
    return false
  }

  /** @throws ChainError missing_auth_exception */
  requireAuth(account: bigint): void {
    if (!this.hasAuth(account))
      refuse('missing_auth_exception', 'missing authority of ${account}', {
        account: nameToString(account),
      })
  }

  /** @throws ChainError missing_auth_exception */
  requireAuth2(account: bigint, permission: bigint): void {
    for (const level of this.act.authorization)
      if (level.actor === account && level.permission === permission) return
    refuse('missing_auth_exception', 'missing authority of ${account}/${permission}', {
      account: nameToString(account),
      permission: nameToString(permission),
    })
  }

  checkTransactionAuthorization(
    trx: Transaction,
    keys: Uint8Array[],
    permissions: PermissionLevel[],
  ): boolean {
    return checkTransactionAuthorization(this, trx, keys, permissions)
  }

  checkPermissionAuthorization(
    account: bigint,
    permission: bigint,
    keys: Uint8Array[],
    permissions: PermissionLevel[],
    delay_us: bigint,
  ): boolean {
    const level = { actor: account, permission }
    return checkPermissionAuthorization(this, level, keys, permissions, delay_us)
  }

  permissionLastUsed(account: bigint, permission: bigint): number {
    return permissionLastUsed(this.db, { actor: account, permission })
  }

  accountCreationTime(account: bigint): number {
    return accountCreationTime(this.db, account)
  }

  codeHash(account: bigint): CodeHashResult {
    return codeHash(this.db, account)
  }

  activeProducers(): bigint[] {
    return this.block.activeProducers()
  }

  requireRecipient(recipient: bigint): void {
    if (this.isNotified(recipient)) return
    this.receivers?.add(recipient)
    this.notified.push(this.tx.actionTrace(this.schedule(this.act, recipient, false)))
  }

  private isNotified(recipient: bigint): boolean {
    const { notified } = this
    if (notified.length > FEW) {
      this.receivers ??= new Set(notified.map(({ receiver }) => receiver))
      return this.receivers.has(recipient)
    }
    for (const { receiver } of notified) if (receiver === recipient) return true
    return false
  }

  executeInline(action: Action): void {
    validateInline(this, action)
    this.inline_ordinals.push(this.schedule(action, action.account, false))
  }

  executeContextFreeInline(action: Action): void {
    validateContextFreeInline(this.db, action)
    this.context_free_inline_ordinals.push(this.schedule(action, action.account, true))
  }

  private schedule(action: Action, receiver: bigint, context_free: boolean): number {
    const creator = this.trace.action_ordinal
    const ancestor = this.first_receiver_action_ordinal
    return this.tx.scheduleAction(action, receiver, context_free, creator, ancestor)
  }

  scheduleDeferred(
    sender_id: bigint,
    payer: bigint,
    packed_trx: Uint8Array,
    replace_existing: boolean,
  ): void {
    scheduleDeferred(this, { sender_id, payer, packed_trx, replace_existing })
  }

  cancelDeferred(sender_id: bigint): boolean {
    return cancelDeferred(this, sender_id, this.receiver)
  }

  /** Delayed transactions have no sender. */
  cancelDelayed(sender_id: bigint): boolean {
    return cancelDeferred(this, sender_id, 0n)
  }

  sender(): bigint {
    const { creator_action_ordinal } = this.trace
    return creator_action_ordinal > 0 ? this.tx.actionTrace(creator_action_ordinal).receiver : 0n
  }

  getAction(type: number, index: number): Action | undefined {
    if (type === 0) return this.trx.context_free_actions[index]
    if (type === 1) return this.trx.actions[index]
    return undefined
  }

  contextFreeData(index: number): Uint8Array | undefined {
    return this.tx.meta.context_free_data.at(index)
  }

  get console_room(): number {
    return this.tx.console_room
  }

  /** Console output beyond the limit is omitted. */
  consoleAppend(text: string): void {
    const room = this.tx.console_room
    this.console += text.length > room ? text.slice(0, room) : text
    this.tx.console_room = Math.max(0, room - text.length)
  }

  setActionReturnValue(value: Uint8Array): void {
    this.return_value = value
  }

  validateCode(code: Uint8Array, code_hash: Uint8Array): void {
    validateCode(this.block, code, code_hash, this.tx.meta.checked_codes)
    // A transaction that is always discarded must not fill the cache of prepared code.
    if (!this.tx.is_transient) this.tx.new_codes.add(code_hash, code)
  }

  checkKey(key: Uint8Array): void {
    if (this.tx.enforce_whiteblacklist && this.block.speculative)
      checkKeyList(this.block.rules, key)
  }

  checktime(): void {
    this.tx.cpu.checktime()
  }

  pauseBillingTimer(): void {
    this.tx.cpu.pause()
  }

  resumeBillingTimer(): void {
    this.tx.cpu.resume()
  }

  preparationTime(): number {
    return this.tx.cpu.preparationTime()
  }

  isFeatureActivated(name: BuiltinFeatureName): boolean {
    return this.block.isActivated(name)
  }

  get contract_db(): ContractDatabase {
    return (this.contract_database ??= new ContractDatabase(this))
  }
  get privileged_api(): PrivilegedHost {
    return (this.privileged_host ??= new PrivilegedApi(this.tx))
  }
  get read_only(): boolean {
    return this.tx.is_read_only
  }
  get trx(): Transaction {
    return this.tx.trx
  }
  get packed_transaction(): Uint8Array {
    return this.tx.meta.packed_trx
  }
  get block_time_us(): number {
    return this.block.block_time_us
  }
  get publication_time_us(): number {
    return this.tx.published_us
  }
  get block_num(): number {
    return this.block.block_num
  }
  get speculative_block(): boolean {
    return this.block.speculative
  }
  get subjective_signature_length_limit(): number {
    return this.block.rules.maximum_variable_signature_length
  }
  get console_enabled(): boolean {
    return this.block.rules.contracts_console
  }
  get num_supported_key_types(): number {
    return this.db.protocol_state.single().num_supported_key_types
  }
  get max_inline_action_size(): number {
    return this.db.global_property.single().configuration.max_inline_action_size
  }
  get max_action_return_value_size(): number {
    return this.db.global_property.single().configuration.max_action_return_value_size
  }
  get max_call_depth(): number {
    return this.db.global_property.single().wasm_configuration.max_call_depth
  }
  get max_pages(): number {
    return this.db.global_property.single().wasm_configuration.max_pages
  }
}
