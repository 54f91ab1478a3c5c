import { readFileSync } from 'node:fs'
import { ChainError, abiFromJson, packAbi } from '../engine/index.ts'
import { findCode, findContract } from '../project/contract_files.ts'

/**
 * Code: its bytes, or where it is, as `--deploy` takes it. This is the path of a `.wasm` file, which may lack the
 * extension; or of a folder with one contract, or with one that is named like the account or the folder; or the same
 * in an npm package (`'proton-tsc'`, `'proton-tsc/external/eosio.token'`), of the working directory or one above it.
 */
export type ContractCode = Uint8Array | string
/** An ABI: the document, its JSON text, its packed bytes or those of the text, or a path. */
export type ContractAbi = object | Uint8Array | string

/** What is deployed: code, and a packed ABI. */
export interface ContractFiles {
  wasm: Uint8Array
  abi: Uint8Array
}

/**
 * Reads code and ABI. Without an ABI, it is read from the file beside the code (`.abi`).
 * @param account for which they are meant
 * @throws OptionError there is no such contract; it says where it was looked for
 * @throws Error a file cannot be read
 * @throws ChainError an ABI is malformed
 */
export function contractFiles(
  account: string,
  code: ContractCode,
  abi: ContractAbi | undefined,
): ContractFiles {
  if (typeof code !== 'string') {
    if (abi === undefined) {
      throw new TypeError('code that is given as bytes needs an ABI: deploy(wasm, abi)')
    }
    return { wasm: code, abi: packedAbi(abi) }
  }
  const folder = process.cwd()
  if (abi !== undefined) {
    return { wasm: readFileSync(findCode(code, account, folder)), abi: packedAbi(abi) }
  }
  const found = findContract(code, account, folder)
  return { wasm: readFileSync(found.wasm), abi: packedAbi(found.abi) }
}

const OPEN_BRACE = 0x7b

function packedAbi(abi: ContractAbi): Uint8Array {
  if (typeof abi === 'string') {
    return abiFromText(abi.trimStart().startsWith('{') ? abi : readFileSync(abi, 'utf8'))
  }
  if (!ArrayBuffer.isView(abi)) return packAbi(abiFromJson(abi))
  const bytes = abi as Uint8Array
  // No packed ABI begins so: its first byte is the length of the version.
  const is_text = bytes[0] === OPEN_BRACE && isJson(bytes)
  return is_text ? abiFromText(Buffer.from(bytes).toString('utf8')) : bytes
}

function isJson(bytes: Uint8Array): boolean {
  return /^\{\s*["}]/.test(Buffer.from(bytes.subarray(0, 1024)).toString('latin1'))
}

function abiFromText(text: string): Uint8Array {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new ChainError('abi_type_exception', `the ABI is not JSON: ${(error as Error).message}`, {
      cause: error,
    })
  }
  return packAbi(abiFromJson(json))
}
