import { setImmediate as turn } from 'node:timers/promises'
import type { MutableRules } from '../../chain/execution/subjective_rules.ts'
import { ChainError, check, fail } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { BLOCK_INTERVAL_US } from '../../protocol/constants.ts'
import type { Asset } from '../../protocol/asset.ts'
import { nameToString } from '../../protocol/name.ts'
import { slotToString, slotToUs, timePointToString, usToSlot } from '../../protocol/time.ts'
import type { Action } from '../../protocol/transaction.ts'
import { DevelopmentClock } from '../production/development_clock.ts'
import type { BlockProduction } from '../production/loop/block_production.ts'
import { isSystemError } from '../../store/file.ts'
import type { Service } from '../service.ts'
import { createAccountActions, deployActions, type NewAccount } from './accounts.ts'
import { setBalanceActions } from './balances.ts'
import { checkLoadable } from './check_loadable.ts'
import { checkPossible } from './check_possible.ts'
import { checkAlone, endFilledBlock, mineOne, mineTo, type MiningGoal } from './mining.ts'
import { ControlTransactions, type ExecutingNode } from './control_transactions.ts'
import type { LoadingState } from './loading_state.ts'
import { SavedNode } from './saved_node.ts'
import type { DevSettings } from './settings.ts'
import type { StateAdditions, StateFiles } from './state_files.ts'

/** Slots end in 2068; a chain must continue for some years. Microseconds since 1970. */
const LAST_TIME_US = Date.UTC(2060, 0) * 1000

/** The parts of the node that are controlled. */
export interface ControlledNode extends ExecutingNode {
  rules: MutableRules
  log: Log
  /** Absent: nothing is stored. */
  states: StateFiles | undefined
  /** Absent: nothing is stored. */
  loading: LoadingState | undefined
}

/** A checkpoint in the form of answers. */
export interface CheckpointJson {
  checkpoint: number
  block_num: number
  block_id: string
  block_time: string
}

/** A saved state in the form of answers. */
export interface SavedStateJson {
  name: string
  block_num: number
  block_id: string
  block_time: string
}

/** The state of the controls in the form of answers. */
export interface ControlsJson {
  production_mode: BlockProduction
  time: string
  head_block_num: number
  head_block_id: string
  head_block_time: string
  last_irreversible_block_num: number
  checkpoints: CheckpointJson[]
  act_as_all: boolean
  act_as_accounts: string[]
}

/**
 * Controls a development chain. Requests take effect one after the other, and each leaves a chain whose blocks every
 * node replays. A request that is refused changes nothing.
 */
export class DevelopmentControls implements Service {
  private readonly settings: DevSettings
  private readonly node: ControlledNode
  private readonly transactions: ControlTransactions
  /** By number, in the order in which they were taken. */
  private readonly saved = new Map<number, SavedNode>()
  private last_number = 0
  /** Another chain takes the place of this one. */
  private is_replaced = false
  private is_ending = false
  private loaded_mode: BlockProduction | undefined
  private work: Promise<unknown> = Promise.resolve()

  constructor(settings: DevSettings, node: ControlledNode) {
    this.settings = settings
    this.node = node
    this.transactions = new ControlTransactions(node)
  }

  /** How far the clock of the chain is ahead of the machine's; microseconds. */
  get ahead_us(): number {
    const { clock } = this.node
    return clock instanceof DevelopmentClock ? clock.offset_us : 0
  }

  /** How the chain is controlled at the moment. @throws unsupported_feature on other chains */
  get(): ControlsJson {
    this.checkControllable()
    const { chain, rules, producer, clock } = this.node
    const { head, last_irreversible } = chain
    const { any_account } = rules
    return {
      production_mode: producer.loop.block_production,
      time: timePointToString(clock.now()),
      head_block_num: head.block_num,
      head_block_id: head.key,
      head_block_time: slotToString(head.timestamp),
      last_irreversible_block_num: last_irreversible.block_num,
      checkpoints: [...this.saved].map(([number, saved]) => checkpointJson(number, saved)),
      act_as_all: any_account === 'all',
      act_as_accounts:
        any_account === 'all' ? [] : [...any_account].sort(ascending).map(nameToString),
    }
  }

  /** From now on, blocks are produced in this way. */
  setProductionMode(mode: BlockProduction): Promise<ControlsJson> {
    return this.inTurn(() => {
      this.node.producer.loop.block_production = mode
    })
  }

  /**
   * Makes blocks at once.
   * @throws misc_exception for a goal that is reached already or too far away, producer_exception if no block
   *   can be made, interrupt_exception if the node stops, unsupported_feature if a peer connects
   */
  mine(goal: MiningGoal): Promise<ControlsJson> {
    return this.inTurn(() => mineTo(this.node, goal, () => this.checkControllable()))
  }

  /**
   * Makes it that time, and a block that has it. Answered transactions are in a block of before.
   * @throws misc_exception for a time that is not after the present one, or too late
   */
  advanceTime(timeOf: (now_us: number) => number): Promise<ControlsJson> {
    return this.inTurn(async () => {
      const { chain, producer } = this.node
      const clock = this.clock()
      const now_us = Math.max(clock.now(), slotToUs(chain.head.timestamp))
      const time_us = timeOf(now_us)
      checkPossible(
        time_us > now_us,
        `it is ${timePointToString(now_us)} already; time goes back only to a checkpoint`,
      )
      checkPossible(
        time_us <= LAST_TIME_US,
        `the latest time is ${timePointToString(LAST_TIME_US)}`,
      )
      if (chain.pending?.status === 'incomplete' && chain.pending.trx_metas.length > 0) {
        await mineOne(this.node)
      }
      // What is due at that time is due in the block.
      clock.advanceTo(slotToUs(usToSlot(time_us + BLOCK_INTERVAL_US - 1000)))
      producer.loop.restart()
      await mineOne(this.node)
    })
  }

  /**
   * Saves the chain under a name, after the end of a pending block that has transactions.
   * @throws snapshot_exception if it cannot be written, unsupported_feature where nothing is stored
   */
  saveState(name: string): Promise<SavedStateJson> {
    return this.inTurnOf(async () => {
      const { chain, rules, clock, producer, states } = this.node
      check(states, 'unsupported_feature', 'this node keeps nothing on the disk')
      await endFilledBlock(this.node)
      producer.loop.abort()
      const source = chain.snapshotSource()
      const { head } = chain
      const { any_account } = rules
      const additions = {
        block_id: head.key,
        production_mode: producer.loop.block_production,
        time_us: clock.now(),
        any_account: any_account === 'all' ? any_account : [...any_account].map(nameToString),
      }
      producer.loop.restart()
      try {
        await states.save(name, source, additions)
      } finally {
        source.view.release()
      }
      const { block_num, key: block_id, timestamp } = head
      return { name, block_num, block_id, block_time: slotToString(timestamp) }
    })
  }

  /**
   * Decides that a saved state takes the place of the chain, after all of it was checked. The node has to be restarted
   * with it then; a start after a crash does this too. Until then, nothing is controlled any more.
   * @throws ChainError snapshot_exception and others if it cannot be loaded, unsupported_feature where nothing is
   *   stored; nothing has changed
   */
  decideToLoad(name: string): Promise<void> {
    return this.inTurnOf(() => {
      const { chain, states, loading } = this.node
      check(states && loading, 'unsupported_feature', 'this node keeps nothing on the disk')
      const { snapshot, additions, text } = states.find(name)
      try {
        loading.copy(snapshot)
        checkLoadable(chain, loading.path, additions)
        loading.decide(text)
      } catch (error) {
        loading.remove()
        const reason = error instanceof Error ? error.message : String(error)
        // The copy is what was read, and is gone now.
        const named = isSystemError(error) ? reason : reason.replaceAll(loading.path, snapshot)
        fail('snapshot_exception', `the state ${name} cannot be loaded: ${named}`)
      }
      this.is_replaced = true
    })
  }

  /**
   * The chain begins with a saved state: time, mode and rules are those of when it was saved.
   * @throws ChainError snapshot_exception if the chain is not at the head of the state
   */
  load({ block_id, time_us, production_mode, any_account }: StateAdditions): void {
    const { chain } = this.node
    check(
      chain.head.key === block_id,
      'snapshot_exception',
      `the files of the state do not belong together: block ${chain.head.key} and block ${block_id}`,
    )
    this.clock().advanceTo(time_us)
    this.allowAnyAccount(any_account)
    this.loaded_mode = production_mode
  }

  /** Production is started: a loaded state has its mode. */
  start(): void {
    if (this.loaded_mode) this.node.producer.loop.block_production = this.loaded_mode
  }

  /** Takes a checkpoint of the chain after its head, with the transactions that wait, the lists and the time. */
  takeCheckpoint(): Promise<CheckpointJson> {
    return this.inTurnOf(() => {
      const { chain, clock, producer } = this.node
      const pending = chain.pending?.trx_metas ?? []
      const saved = new SavedNode(chain.takeCheckpoint(), clock.now(), producer, pending)
      this.saved.set(++this.last_number, saved)
      return checkpointJson(this.last_number, saved)
    })
  }

  /**
   * Goes back to a checkpoint; those that were taken after it are dropped.
   * @throws misc_exception if there is no such checkpoint
   */
  goBackTo(number: number): Promise<ControlsJson> {
    return this.inTurn(async () => {
      const { chain, producer } = this.node
      const clock = this.clock()
      const saved = this.known(number)
      await chain.voted()
      producer.loop.abort()
      try {
        chain.goBackTo(saved.checkpoint)
        for (const other of this.saved.keys()) if (other > number) this.saved.delete(other)
        producer.processor.queue.clear(wentBack())
        saved.restore(producer)
        clock.returnTo(saved.time_us)
      } finally {
        producer.loop.restart()
      }
    })
  }

  /** Drops a checkpoint. @throws misc_exception if there is no such checkpoint */
  dropCheckpoint(number: number): Promise<ControlsJson> {
    return this.inTurn(() => {
      this.node.chain.dropCheckpoint(this.known(number).checkpoint)
      this.saved.delete(number)
    })
  }

  /** Anyone may act for these accounts from now on, and for no others. */
  actAs(accounts: readonly bigint[] | 'all'): Promise<ControlsJson> {
    return this.inTurn(() => this.allowAnyAccount(accounts))
  }

  /** The same at once, without an answer: at the start. */
  allowAnyAccount(accounts: readonly bigint[] | 'all'): void {
    const { rules, log, mark } = this.node
    const any = accounts === 'all' || accounts.length > 0
    if (any) mark.set()
    rules.any_account = accounts === 'all' ? 'all' : new Set(accounts)
    const whom = accounts === 'all' ? 'all accounts' : accounts.map(nameToString).join(', ')
    log('info', any ? `anyone may act for ${whom}` : 'accounts act with their own keys')
  }

  /** Creates an account with its keys, RAM and contract. @throws ChainError what its actions fail with */
  createAccount(account: NewAccount): Promise<ControlsJson> {
    const { name, creator, code, abi } = account
    return this.inTurn(async () => {
      // An account signs only in later transactions; so that no account is left without its contract, the contract
      // is tried on the creator before.
      this.transactions.try((db) => deployActions(db, creator, { code, abi }))
      await this.transactions.execute((db) => createAccountActions(db, account))
      await this.transactions.execute((db) => deployActions(db, name, { code, abi }))
    })
  }

  /** Sets an authority in the name of the account's owner. @throws ChainError what its action fails with */
  setAuthority(action: Action): Promise<ControlsJson> {
    return this.inTurn(() => this.transactions.execute(() => [action]))
  }

  /** Gives an account a balance of a token. @throws ChainError what its actions fail with */
  setBalance(contract: bigint, account: bigint, quantity: Asset): Promise<ControlsJson> {
    return this.inTurn(() =>
      this.transactions.execute((db) => setBalanceActions(db, contract, account, quantity)),
    )
  }

  /** The node stops: what waits for its turn is refused, and no more blocks are mined. */
  endWaits(): void {
    this.is_ending = true
  }

  /** What is being done ends first. */
  async stop(): Promise<void> {
    await this.work.catch(() => undefined)
  }

  private inTurn(work: () => void | Promise<void>): Promise<ControlsJson> {
    return this.inTurnOf(async () => {
      await work()
      return this.get()
    })
  }

  /** Requests wait for those before them. */
  private inTurnOf<T>(work: () => T | Promise<T>): Promise<T> {
    this.checkControllable()
    const done = this.work.then(async () => {
      await turn()
      this.checkControllable()
      return work()
    })
    this.work = done.catch(() => undefined)
    return done
  }

  /** @throws unsupported_feature where the chain is not alone this node's to change */
  private checkControllable(): void {
    const { refusal } = this.settings
    check(refusal === undefined, 'unsupported_feature', refusal ?? '')
    check(!this.is_replaced, 'misc_exception', 'another state is being loaded')
    check(!this.is_ending, 'interrupt_exception', 'the node stops')
    checkAlone(this.node)
  }

  private known(number: number): SavedNode {
    const saved = this.saved.get(number)
    checkPossible(
      saved !== undefined,
      `there is no checkpoint ${number}: it was dropped, or taken before the node started`,
    )
    return saved!
  }

  private clock(): DevelopmentClock {
    const { clock } = this.node
    check(clock instanceof DevelopmentClock, 'unsupported_feature', 'the clock cannot be moved')
    return clock
  }
}

function wentBack(): ChainError {
  return new ChainError(
    'producer_exception',
    'the chain went back to a checkpoint while the transaction waited for a block',
  )
}

function checkpointJson(checkpoint: number, { checkpoint: { head } }: SavedNode): CheckpointJson {
  return {
    checkpoint,
    block_num: head.block_num,
    block_id: head.key,
    block_time: slotToString(head.timestamp),
  }
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : 1)
