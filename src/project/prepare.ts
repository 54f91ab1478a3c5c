import {
  biosContract,
  sha256,
  toHex,
  type Answer,
  type Body,
  type PlainAction,
} from '../engine/index.ts'
import { Sender, type SendingNode } from '../sending/sender.ts'
import { readContract, type ContractFiles } from './contract_files.ts'
import type { Project, ProjectAccount, ProjectContract } from './project.ts'

/** What a project needs of its node. */
export interface PreparingNode extends SendingNode {
  /** Undefined where there is no account of this name. */
  code_hash(account: string): string | undefined
  get_raw_abi(body: Body<'get_raw_abi'>): Promise<Answer<'get_raw_abi'>>
}

/** The settings of a preparation. */
export interface Preparation {
  node: PreparingNode
  /** The private key of eosio. */
  system_key: string
  /** Actions run on a new chain alone. */
  is_new: boolean
  log: (message: string) => void
}

/** Accounts of one transaction. */
const BATCH = 50
const SYSTEM = 'eosio'

/** Actions are not run twice: they would fail where they have run, or do the same once more. */
const NOT_AGAIN =
  'its actions do not run at later starts; --delete-all-blocks makes a new chain, with all of them'

/** A part of a project failed; the message names it. */
export class PreparationError extends Error {}

/** Brings a chain to what its project asks for. What is there already is not made again. */
export class Preparer {
  private readonly project: Project
  private readonly options: Preparation
  private readonly sender: Sender

  constructor(project: Project, options: Preparation) {
    this.project = project
    this.options = options
    this.sender = new Sender(options.node)
  }

  /**
   * Makes accounts, deploys contracts and runs actions.
   * @throws PreparationError
   */
  async run(): Promise<void> {
    const { project, options } = this
    const { bios, contracts, actions } = project
    if (bios) {
      await this.part('deploy eosio', () => this.setContract(SYSTEM, biosContract()))
    }
    await this.createAccounts()
    for (const contract of contracts) {
      await this.part(`deploy ${contract.account}`, () => this.deploy(contract))
    }
    if (actions.length === 0) return
    if (!options.is_new) return options.log(`the chain is not new: ${NOT_AGAIN}`)
    for (const [i, action] of actions.entries()) {
      const run = (): Promise<void> => this.send([action])
      await this.part(`actions[${i}] (${action.account}::${action.name})`, run, NOT_AGAIN)
    }
    options.log(`ran ${actions.length} actions`)
  }

  /**
   * Deploys a contract, unless the account has it.
   * @returns whether anything was set
   */
  async deploy(contract: ProjectContract): Promise<boolean> {
    const { account } = contract
    const is_set = await this.setContract(account, readContract(contract))
    if (is_set) this.options.log(`deployed ${contract.wasm} on ${account}`)
    return is_set
  }

  private async createAccounts(): Promise<void> {
    const { node, log } = this.options
    const missing = this.project.accounts.filter(({ name }) => node.code_hash(name) === undefined)
    for (let i = 0; i < missing.length; i += BATCH) {
      const batch = missing.slice(i, i + BATCH)
      const names = batch.map(({ name }) => name).join(', ')
      await this.part(`accounts ${names}`, () =>
        this.send([...batch.map(newAccount), ...batch.flatMap(setLimits)]),
      )
      log(`created ${names}`)
    }
  }

  private async setContract(account: string, { wasm, abi }: ContractFiles): Promise<boolean> {
    const { node } = this.options
    const stored = await node.get_raw_abi({ account_name: account })
    const actions: PlainAction[] = []
    if (node.code_hash(account) !== toHex(sha256(wasm))) {
      const code = Buffer.from(wasm).toString('hex')
      actions.push(native('setcode', account, { account, vmtype: 0, vmversion: 0, code }))
    }
    if (stored.abi_hash !== toHex(sha256(abi))) {
      actions.push(native('setabi', account, { account, abi: toHex(abi) }))
    }
    if (actions.length > 0) await this.send(actions)
    return actions.length > 0
  }

  /** Signs with the keys of the actors. */
  private async send(actions: readonly PlainAction[]): Promise<void> {
    const actors = actions.flatMap(({ authorization }) => authorization.map(({ actor }) => actor))
    await this.sender.send(
      actions,
      actors.map((actor) => this.keyOf(actor)),
    )
  }

  private keyOf(actor: string): string {
    const account = this.project.accounts.find(({ name }) => name === actor)
    return account?.private_key ?? this.options.system_key
  }

  /** @param hint follows the reason of a failure */
  private async part(what: string, run: () => Promise<unknown>, hint?: string): Promise<void> {
    try {
      await run()
    } catch (error) {
      const reason = `${what}: ${(error as Error).message}${hint === undefined ? '' : `; ${hint}`}`
      const text = `the chain is not prepared: ${reason}`
      throw new PreparationError(text, { cause: error })
    }
  }
}

function newAccount({ name, public_key }: ProjectAccount): PlainAction {
  const keys = [{ key: public_key, weight: 1 }]
  // So that a contract on the account may send actions in its name.
  const code = { permission: { actor: name, permission: 'eosio.code' }, weight: 1 }
  return native('newaccount', SYSTEM, {
    creator: SYSTEM,
    name,
    owner: { threshold: 1, keys, accounts: [], waits: [] },
    active: { threshold: 1, keys, accounts: [code], waits: [] },
  })
}

function setLimits({ name, limits }: ProjectAccount): PlainAction[] {
  return limits === undefined ? [] : [native('setalimits', SYSTEM, { account: name, ...limits })]
}

function native(name: string, actor: string, data: object): PlainAction {
  return { account: SYSTEM, name, authorization: [{ actor, permission: 'active' }], data }
}
