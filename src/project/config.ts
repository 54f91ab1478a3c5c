/** What a project prepares on its development chain: the types of `pronghorn.config.*`. */

/** An account that is made when a chain is new. */
export interface AccountConfig {
  /** Private key of owner and active. Default: the well-known development key. */
  key?: string
  /**
   * Limits as the action setalimits takes them; -1 is none. They need a system contract: `bios`, which is on
   * then, or one that the project deploys on eosio.
   */
  limits?: { ram_bytes?: number; net_weight?: number; cpu_weight?: number }
}

/** An action that runs when a chain is new. */
export interface ActionConfig {
  /** The account of the contract. */
  account: string
  name: string
  /** `alice@active`, `alice` for the same, or several. Default: the account of the contract. */
  authorization?: string | readonly string[]
  /** The arguments by the ABI. */
  data?: unknown
}

/** A prepared development chain. */
export interface PronghornConfig {
  /** Options of the node by their names; the command line has precedence. */
  options?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  /** Accounts in order: names, or names with their settings. */
  accounts?: readonly string[] | Readonly<Record<string, AccountConfig>>
  /**
   * Contracts by account, which is made if it is not among `accounts`. A contract is the path of a WASM file, with or
   * without its extension, with the ABI beside it; a folder with one; or the same in an npm package:
   * `some-package`, `some-package/build/token`.
   */
  deploy?: Readonly<Record<string, string>>
  /** Actions that run then, each in a transaction of its own. */
  actions?: readonly ActionConfig[]
  /** Folder that paths of contracts are relative to. Default: that of the file. */
  folder?: string
  /** Whether eosio gets a small contract with the actions setalimits and setpriv. */
  bios?: boolean
  /** Whether a contract is deployed again when its files change. */
  watch?: boolean
}

/** Gives a configuration its type: `export default defineConfig({ ... })`. */
export function defineConfig(config: PronghornConfig): PronghornConfig {
  return config
}
