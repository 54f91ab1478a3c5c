import { createDatabase } from '../../../src/engine/state/database.ts'
import { N } from '../../../src/engine/protocol/name.ts'
import { ContractDatabase } from '../../../src/engine/vm/contract_database.ts'
import type { Action, Transaction } from '../../../src/engine/protocol/transaction.ts'
import type {
  CodeHashResult,
  HostContext,
  PrivilegedHost,
} from '../../../src/engine/vm/host_context.ts'
import { refuse } from '../../../src/engine/vm/refuse.ts'
import { nameToString } from '../../../src/engine/protocol/name.ts'
import { plainTransaction } from '../../../src/engine/protocol/transaction.ts'

/** Thrown by the fake clock when its budget is used up. */
export class Deadline extends Error {}

const EMPTY_TRANSACTION: Transaction = {
  expiration: 1700000000,
  ref_block_num: 7,
  ref_block_prefix: 0xfedcba98,
  ...plainTransaction([]),
}

/** A context without a chain: records what a contract does, over a real database. */
export class FakeContext implements HostContext {
  db = createDatabase()
  contract_db: ContractDatabase
  receiver: bigint
  act: Action
  context_free = false
  privileged = false
  read_only = false
  block_time_us = 1_600_000_000_000_000
  publication_time_us = 1_500_000_000_000_000
  block_num = 77
  speculative_block = true
  subjective_signature_length_limit = 16384
  num_supported_key_types = 3
  max_inline_action_size = 4096
  max_action_return_value_size = 256
  max_call_depth = 250
  max_pages = 528
  console_enabled = true
  packed_transaction = new Uint8Array([1, 2, 3])
  trx = EMPTY_TRANSACTION
  console = ''
  console_room = Infinity
  return_value: Uint8Array | undefined
  accounts = new Set<bigint>()
  recipients: bigint[] = []
  inline: Action[] = []
  context_free_inline: Action[] = []
  deferred: { sender_id: bigint; payer: bigint; packed: Uint8Array; replace: boolean }[] = []
  usage = new Map<bigint, number>()
  checks = 0
  /** Calls of checktime until the deadline. */
  budget = Infinity
  paused = 0
  preparation_ms = Infinity
  compiled = 0
  context_free_data: Uint8Array[] = []
  privileged_calls: unknown[][] = []

  constructor(receiver: string, action = 'run', data: Uint8Array = new Uint8Array(0)) {
    this.receiver = N(receiver)
    this.act = { account: this.receiver, name: N(action), authorization: [], data }
    this.contract_db = new ContractDatabase(this)
    this.accounts.add(this.receiver)
  }

  /** The next action: fresh iterators and output, the same database. */
  next(action: string, data: Uint8Array = new Uint8Array(0)): this {
    this.act = { ...this.act, name: N(action), data }
    this.contract_db = new ContractDatabase(this)
    this.console = ''
    this.return_value = undefined
    this.inline = []
    this.recipients = []
    return this
  }

  authorizedBy(...names: string[]): this {
    const authorization = names.map((n) => ({ actor: N(n), permission: N('active') }))
    this.act = { ...this.act, authorization }
    for (const name of names) this.accounts.add(N(name))
    return this
  }

  checktime(): void {
    if ((this.checks += 1) > this.budget) throw new Deadline('time is up')
  }
  pauseBillingTimer(): void {
    this.paused += 1
    this.compiled += 1
  }
  preparationTime(): number {
    return this.preparation_ms
  }

  resumeBillingTimer(): void {
    this.paused -= 1
  }
  isFeatureActivated(): boolean {
    return true
  }
  sender(): bigint {
    return N('sender')
  }
  consoleAppend(text: string): void {
    this.console += text
  }
  setActionReturnValue(value: Uint8Array): void {
    this.return_value = value
  }
  isAccount(account: bigint): boolean {
    return this.accounts.has(account)
  }
  hasAuth(account: bigint): boolean {
    return this.act.authorization.some((level) => level.actor === account)
  }
  requireAuth(account: bigint): void {
    if (!this.hasAuth(account)) {
      refuse('missing_auth_exception', 'missing authority of ${account}', {
        account: nameToString(account),
      })
    }
  }
  requireAuth2(account: bigint): void {
    this.requireAuth(account)
  }
  requireRecipient(account: bigint): void {
    if (!this.recipients.includes(account)) this.recipients.push(account)
  }
  executeInline(action: Action): void {
    this.inline.push(action)
  }
  executeContextFreeInline(action: Action): void {
    this.context_free_inline.push(action)
  }
  scheduleDeferred(sender_id: bigint, payer: bigint, packed: Uint8Array, replace: boolean): void {
    this.deferred.push({ sender_id, payer, packed, replace })
  }
  cancelDeferred(sender_id: bigint): boolean {
    const before = this.deferred.length
    this.deferred = this.deferred.filter((d) => d.sender_id !== sender_id)
    return this.deferred.length !== before
  }
  updateDbUsage(payer: bigint, delta: number): void {
    this.usage.set(payer, (this.usage.get(payer) ?? 0) + delta)
  }
  getAction(type: number, index: number): Action | undefined {
    return (type === 0 ? this.trx.context_free_actions : this.trx.actions)[index]
  }
  contextFreeData(index: number): Uint8Array | undefined {
    return this.context_free_data[index]
  }
  activeProducers(): bigint[] {
    return [N('eosio'), N('alice')]
  }
  checkTransactionAuthorization(): boolean {
    return true
  }
  checkPermissionAuthorization(): boolean {
    return false
  }
  permissionLastUsed(): number {
    return 5
  }
  accountCreationTime(): number {
    return 6
  }
  codeHash(): CodeHashResult {
    return { code_sequence: 3n, code_hash: new Uint8Array(32).fill(9), vm_type: 0, vm_version: 0 }
  }

  readonly privileged_api: PrivilegedHost = this.privilegedHost()

  private privilegedHost(): PrivilegedHost {
    const note =
      (name: string) =>
      (...args: unknown[]): void => {
        const copies = args.map((a) => (a instanceof Uint8Array ? [...a] : a))
        this.privileged_calls.push([name, ...copies])
      }
    return {
      setResourceLimits: note('setResourceLimits'),
      getResourceLimits: () => ({ ram_bytes: 1n, net_weight: -1n, cpu_weight: 3n }),
      setProposedProducers: (packed, format) => {
        note('setProposedProducers')(packed, format)
        return 4n
      },
      getBlockchainParameters: () => new Uint8Array([1, 2, 3, 4, 5]),
      setBlockchainParameters: note('setBlockchainParameters'),
      getParametersPacked: (ids) => ids.slice(),
      setParametersPacked: note('setParametersPacked'),
      getWasmParameters: () => new Uint8Array(44).fill(1),
      setWasmParameters: note('setWasmParameters'),
      isPrivileged: () => true,
      setPrivileged: note('setPrivileged'),
      preactivateFeature: note('preactivateFeature'),
      isFeatureActive: (digest) => digest[0] === 1,
      setFinalizers: note('setFinalizers'),
    }
  }
}
