import { existsSync, readFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { check, fail } from '../../errors.ts'
import { utf8ToBytes } from '../../protocol/hex.ts'
import { nameFromString } from '../../protocol/name.ts'
import { checksumPath, checksumText } from '../../snapshot/file_checksum.ts'
import type { SnapshotSource } from '../../snapshot/source.ts'
import { writeSnapshot } from '../../snapshot/write_snapshot.ts'
import { makeFolder, replaceFile, syncFolderLater } from '../../store/file.ts'
import { BLOCK_PRODUCTIONS, type BlockProduction } from '../production/loop/block_production.ts'

const MODES: readonly unknown[] = BLOCK_PRODUCTIONS

/** What a development chain has beside its state. */
export interface StateAdditions {
  /** The head of the snapshot, in hex. */
  block_id: string
  production_mode: BlockProduction
  /** Microseconds since 1970. */
  time_us: number
  any_account: readonly bigint[] | 'all'
}

/** The JSON of {@link StateAdditions}; names are text. */
type AdditionsJson = Omit<StateAdditions, 'any_account'> & {
  any_account: readonly string[] | 'all'
}

/** Saved states: a snapshot with its checksum, and a file with what the development chain adds. */
export class StateFiles {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * Reads the additions of a state.
   * @returns its snapshot, and the additions, also as text
   * @throws ChainError snapshot_exception if there is no such state, or they are damaged
   */
  find(name: string): { snapshot: string; additions: StateAdditions; text: string } {
    const snapshot = join(this.folder, `${name}.bin`)
    check(
      existsSync(snapshot),
      'snapshot_exception',
      `there is no state ${name}: save_state makes one, or put ${name}.bin and ${name}.json into ${this.folder}`,
    )
    try {
      const text = readFileSync(additionsPath(snapshot), 'utf8')
      return { snapshot, additions: parsedAdditions(snapshot, text), text }
    } catch (error) {
      fail('snapshot_exception', `the state ${name} cannot be loaded: ${(error as Error).message}`)
    }
  }

  /** Writes a state; it is on the disk then, in place of one of the same name.
   *  @throws ChainError snapshot_exception if it cannot be written */
  async save(name: string, source: SnapshotSource, additions: AdditionsJson): Promise<void> {
    const path = join(this.folder, `${name}.bin`)
    try {
      makeFolder(this.folder)
      await writeSnapshot(source, `${path}.new`)
      const checksum = await checksumText(`${path}.new`, path)
      // If the process ends here, the files do not belong together, and the state is not loaded.
      replaceFile(checksumPath(path), [utf8ToBytes(checksum)])
      replaceFile(additionsPath(path), [utf8ToBytes(`${JSON.stringify(additions)}\n`)])
      await rename(`${path}.new`, path)
      await syncFolderLater(this.folder)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      fail('snapshot_exception', `the state cannot be saved: ${reason}`)
    }
  }
}

/** `NAME.json` beside `NAME.bin`. */
export function additionsPath(snapshot: string): string {
  return `${snapshot.replace(/\.bin$/, '')}.json`
}

/** Reads the additions beside a snapshot. @throws Error if there are none, or they cannot be read */
export function readAdditions(snapshot: string): StateAdditions {
  return parsedAdditions(snapshot, readFileSync(additionsPath(snapshot), 'utf8'))
}

function parsedAdditions(snapshot: string, text: string): StateAdditions {
  try {
    return additionsFromText(text)
  } catch {
    throw new Error(
      `${additionsPath(snapshot)} is damaged, or was not written by save_state: put a copy of it back`,
    )
  }
}

/** @throws Error for another text */
function additionsFromText(text: string): StateAdditions {
  const json = JSON.parse(text) as Partial<AdditionsJson>
  const { block_id, production_mode, time_us, any_account } = json
  const is_complete =
    typeof block_id === 'string' &&
    MODES.includes(production_mode) &&
    Number.isSafeInteger(time_us) &&
    (any_account === 'all' || Array.isArray(any_account))
  if (!is_complete) throw new Error('fields are missing')
  return {
    ...{ block_id, production_mode: production_mode!, time_us: time_us! },
    any_account: any_account === 'all' ? 'all' : any_account.map((name) => nameFromString(name)),
  }
}
