import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../log.ts'
import { utf8ToBytes } from '../../protocol/hex.ts'
import { makeFolder, replaceFile } from '../../store/file.ts'

const FILE = 'any-account'
const TEXT =
  'Anyone could act for accounts of this chain without their keys: nodes that validate fully refuse its blocks.\n'

/** Remembers in the data folder that anyone could act for accounts of the chain, and says so at each start. */
export class AnyAccountMark {
  /** Undefined: nothing is stored. */
  private readonly folder: string | undefined
  private readonly log: Log

  constructor(folder: string | undefined, log: Log) {
    this.folder = folder
    this.log = log
  }

  /** Says that the chain was made this way, if it was. */
  report(): void {
    if (this.folder === undefined || !existsSync(join(this.folder, FILE))) return
    this.log(
      'warn',
      'this chain has been open to transactions of accounts without their keys (act_as, any-account): ' +
        'nodes that validate fully refuse its blocks',
    )
  }

  /** From now on anyone may act for some accounts. It is on the disk on return. */
  set(): void {
    if (this.folder === undefined || existsSync(join(this.folder, FILE))) return
    makeFolder(this.folder)
    replaceFile(join(this.folder, FILE), [utf8ToBytes(TEXT)])
  }
}
