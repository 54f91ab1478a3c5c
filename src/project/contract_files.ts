import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { OptionError } from '../engine/options/option_error.ts'
import { packAbiText } from '../engine/index.ts'

/** The files of a contract. */
export interface ContractPaths {
  wasm: string
  abi: string
}

/** A contract as it is deployed. */
export interface ContractFiles {
  wasm: Uint8Array
  /** Packed. */
  abi: Uint8Array
}

/** How deep contracts are searched in a package. */
const MAX_DEPTH = 4

/**
 * Finds the files of a contract: the path of a WASM file, with or without its extension, with the ABI beside it; a
 * folder with one contract or one that is named like the account or the folder; or the same in an npm package.
 * @param folder paths are relative to it, and packages are looked for from it upwards
 * @throws OptionError that says where it was looked for
 */
export function findContract(named: string, account: string, folder: string): ContractPaths {
  const found = pathsOf(findCode(named, account, folder, (wasm) => existsSync(pathsOf(wasm).abi)))
  if (existsSync(found.abi)) return found
  throw new OptionError(
    `deploy ${account}=${named}: there is no ABI beside ${found.wasm} (${found.abi})`,
  )
}

/**
 * Finds a WASM file in the same places.
 * @param isContract which of the files in a folder count
 * @throws OptionError that says where it was looked for
 */
export function findCode(
  named: string,
  account: string,
  folder: string,
  isContract: (wasm: string) => boolean = () => true,
): string {
  const where = `deploy ${account}=${named}`
  const places = [resolve(folder, named), ...packagePlaces(named, folder)]
  for (const place of places) {
    const found = codeAt(place, account, where, isContract)
    if (found !== undefined) return found
  }
  throw new OptionError(
    `${where}: there is no contract; looked for ${places.map((place) => `${place}.wasm`).join(', ')}`,
  )
}

/**
 * Reads the files of a contract.
 * @throws OptionError for an ABI that is none, and for files that are being written
 */
export function readContract({ wasm, abi }: ContractPaths): ContractFiles {
  const code = readFileSync(wasm)
  if (!code.subarray(0, 4).equals(WASM_MAGIC)) throw new OptionError(`${wasm} is not a WASM file`)
  try {
    return { wasm: code, abi: packAbiText(readFileSync(abi, 'utf8')) }
  } catch (error) {
    throw new OptionError(`${abi} is not an ABI: ${(error as Error).message}`)
  }
}

const WASM_MAGIC = Buffer.from('\0asm')

/** The code at a path without extension, in a WASM file or in a folder. */
function codeAt(
  path: string,
  account: string,
  where: string,
  isContract: (wasm: string) => boolean,
): string | undefined {
  const stem = path.replace(/\.wasm$/, '')
  if (existsSync(`${stem}.wasm`)) return `${stem}.wasm`
  if (!existsSync(stem) || !statSync(stem).isDirectory()) return undefined
  const found = codesIn(stem, 0).filter(isContract)
  const names = [account, basename(stem)]
  const named = found.filter((file) => names.includes(basename(file, '.wasm')))
  const chosen = named.length > 0 ? named : found
  if (chosen.length > 1) {
    throw new OptionError(`${where}: ${stem} has several contracts: ${chosen.join(', ')}`)
  }
  return chosen[0]
}

function pathsOf(wasm: string): ContractPaths {
  return { wasm, abi: wasm.replace(/\.wasm$/, '.abi') }
}

function codesIn(folder: string, depth: number): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      const searched = depth < MAX_DEPTH && entry.name !== 'node_modules'
      return searched ? codesIn(path, depth + 1) : []
    }
    return entry.name.endsWith('.wasm') ? [path] : []
  })
}

/** Where a name can be in installed packages: node_modules of the folder and of those above it. */
function packagePlaces(named: string, folder: string): string[] {
  if (/^[./~]/.test(named)) return []
  const places: string[] = []
  for (let at = resolve(folder); ; at = dirname(at)) {
    const place = join(at, 'node_modules', named)
    const [name = '', ...more] = named.split('/')
    const root = join(at, 'node_modules', name.startsWith('@') ? join(name, more[0] ?? '') : name)
    if (existsSync(root)) places.push(place)
    if (dirname(at) === at) return places
  }
}
