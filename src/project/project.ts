import {
  nameFromString,
  privateKeyFromString,
  publicKeyOf,
  publicKeyToString,
} from '../engine/index.ts'
import { resolve } from 'node:path'
import { OptionError } from '../engine/options/option_error.ts'
import type { AccountConfig, ActionConfig, PronghornConfig } from './config.ts'
import { findContract, readContract, type ContractPaths } from './contract_files.ts'

/** An account with its key pair. */
export interface ProjectAccount {
  name: string
  public_key: string
  private_key: string
  /** `undefined`: no limits are set. */
  limits: { ram_bytes: number; net_weight: number; cpu_weight: number } | undefined
}

/** A contract on an account. */
export interface ProjectContract extends ContractPaths {
  account: string
}

/** An action that runs on a new chain. */
export interface ProjectAction {
  account: string
  name: string
  authorization: readonly { actor: string; permission: string }[]
  data: unknown
}

/** A prepared chain: what the options and the configuration ask for, checked. */
export interface Project {
  accounts: readonly ProjectAccount[]
  contracts: readonly ProjectContract[]
  actions: readonly ProjectAction[]
  watch: boolean
  /** A system contract with setalimits is deployed on eosio. */
  bios: boolean
}

const KEYS = ['options', 'accounts', 'deploy', 'actions', 'watch', 'bios', 'folder']
const NO_LIMIT = -1
const SYSTEM = 'eosio'

/**
 * Checks everything that can be checked without a chain: names, keys, files.
 * @param config of a file or of options
 * @param base paths are relative to it, and so is `folder` of the configuration
 * @param default_key the private key of accounts that have none of their own
 * @throws OptionError for the first thing that is wrong
 */
export function projectOf(config: unknown, base: string, default_key: string): Project {
  const { accounts = [], deploy = {}, actions = [], watch = false, bios = false } = checked(config)
  const folder = folderOf(config, base)
  const given = accountsOf(accounts)
  for (const name of Object.keys(entries(deploy, 'deploy')))
    if (!given.has(name)) given.set(name, {})
  given.delete(SYSTEM)
  const made = [...given].map(([name, account]) => accountOf(name, account, default_key))
  const contracts = Object.entries(deploy).map(([account, named]) => {
    nameOf(account, 'deploy')
    if (typeof named !== 'string')
      throw new OptionError(`deploy.${account} is the path of a contract`)
    const paths = findContract(named, account, folder)
    readContract(paths)
    return { account, ...paths }
  })
  if (!Array.isArray(actions)) throw new OptionError('actions is a list of actions')
  const has_system = contracts.some(({ account }) => account === SYSTEM)
  const needs_bios = flag(bios, 'bios') || made.some(({ limits }) => limits !== undefined)
  return {
    accounts: made,
    contracts,
    actions: actions.map(actionOf),
    watch: flag(watch, 'watch'),
    bios: needs_bios && !has_system,
  }
}

/** A project that prepares nothing. */
export const NO_PROJECT: Project = {
  accounts: [],
  contracts: [],
  actions: [],
  watch: false,
  bios: false,
}

/** Both projects as one. An account of both is that of the first, a contract of both that of the second. */
export function joinedProjects(first: Project, second: Project): Project {
  const names = new Set(first.accounts.map(({ name }) => name))
  const replaced = new Set(second.contracts.map(({ account }) => account))
  const contracts = [
    ...first.contracts.filter(({ account }) => !replaced.has(account)),
    ...second.contracts,
  ]
  return {
    accounts: [...first.accounts, ...second.accounts.filter(({ name }) => !names.has(name))],
    contracts,
    actions: [...first.actions, ...second.actions],
    watch: first.watch || second.watch,
    bios: (first.bios || second.bios) && !contracts.some(({ account }) => account === SYSTEM),
  }
}

/** Whether there is nothing to prepare. */
export function isEmpty({ accounts, contracts, actions, bios }: Project): boolean {
  return accounts.length + contracts.length + actions.length === 0 && !bios
}

function checked(config: unknown): PronghornConfig {
  const given = entries(config, 'the configuration')
  for (const name of Object.keys(given)) {
    if (KEYS.includes(name)) continue
    throw new OptionError(`the configuration has no "${name}"; it has ${KEYS.join(', ')}`)
  }
  return given
}

function entries(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new OptionError(`${what} is not an object`)
}

function folderOf(config: unknown, base: string): string {
  const { folder = '.' } = config as { folder?: unknown }
  if (typeof folder !== 'string') throw new OptionError('folder is a path')
  return resolve(base, folder)
}

function flag(value: unknown, what: string): boolean {
  if (typeof value === 'boolean') return value
  throw new OptionError(`${what} is true or false`)
}

function accountsOf(accounts: unknown): Map<string, unknown> {
  if (Array.isArray(accounts)) return new Map(accounts.map((name: unknown) => [String(name), {}]))
  return new Map(Object.entries(entries(accounts, 'accounts')))
}

function accountOf(name: string, given: unknown, default_key: string): ProjectAccount {
  nameOf(name, 'accounts')
  const {
    key = default_key,
    limits,
    ...other
  } = entries(given, `accounts.${name}`) as AccountConfig
  const [unknown] = Object.keys(other)
  if (unknown !== undefined) throw new OptionError(`accounts.${name} has no "${unknown}"`)
  return {
    name,
    private_key: key,
    public_key: publicKey(name, key),
    limits: limitsOf(name, limits),
  }
}

function publicKey(name: string, key: unknown): string {
  try {
    return publicKeyToString(publicKeyOf(privateKeyFromString(String(key))))
  } catch (error) {
    throw new OptionError(`accounts.${name}.key is not a private key: ${(error as Error).message}`)
  }
}

function limitsOf(name: string, limits: AccountConfig['limits']): ProjectAccount['limits'] {
  if (limits === undefined) return undefined
  const values = { ram_bytes: NO_LIMIT, net_weight: NO_LIMIT, cpu_weight: NO_LIMIT }
  for (const [field, value] of Object.entries(entries(limits, `accounts.${name}.limits`))) {
    if (!(field in values)) throw new OptionError(`accounts.${name}.limits has no "${field}"`)
    if (!Number.isSafeInteger(value) || (value as number) < NO_LIMIT) {
      throw new OptionError(
        `accounts.${name}.limits.${field} is a whole number, or -1 for no limit`,
      )
    }
    values[field as keyof typeof values] = value as number
  }
  return values
}

function actionOf(given: unknown, index: number): ProjectAction {
  const where = `actions[${index}]`
  const {
    account,
    name,
    authorization,
    data = {},
    ...other
  } = entries(given, where) as Partial<ActionConfig>
  const [unknown] = Object.keys(other)
  if (unknown !== undefined) throw new OptionError(`${where} has no "${unknown}"`)
  nameOf(account, `${where}.account`)
  nameOf(name, `${where}.name`)
  const levels = [authorization ?? (account as string)].flat() as unknown[]
  return {
    account: account as string,
    name: name as string,
    authorization: levels.map((level) => permissionOf(level, `${where}.authorization`)),
    data,
  }
}

/** `alice@active`, or `alice` for the same. */
function permissionOf(level: unknown, where: string): { actor: string; permission: string } {
  const [actor, permission = 'active', ...more] = String(level).split('@')
  nameOf(actor, where)
  nameOf(permission, where)
  if (more.length > 0)
    throw new OptionError(`${where} "${String(level)}" is not ACCOUNT@PERMISSION`)
  return { actor: actor!, permission }
}

function nameOf(name: unknown, where: string): void {
  try {
    if (typeof name === 'string' && name !== '' && nameFromString(name) !== 0n) return
  } catch (error) {
    throw new OptionError(`${where}: ${(error as Error).message}`)
  }
  throw new OptionError(`${where}: "${String(name)}" is not a name`)
}
