import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ChainError, abiFromJson, packAbi } from '../engine/index.ts'

/**
 * Code: its bytes, or the path of a `.wasm` file, which may lack the extension, or of a folder with a
 * file of its own name in it.
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
 * @throws Error a file is missing
 * @throws ChainError an ABI is malformed
 */
export function contractFiles(code: ContractCode, abi: ContractAbi | undefined): ContractFiles {
  if (typeof code !== 'string') {
    if (abi === undefined) {
      throw new TypeError('code that is given as bytes needs an ABI: deploy(wasm, abi)')
    }
    return { wasm: code, abi: packedAbi(abi) }
  }
  const path = wasmPath(code)
  const beside = path.replace(/\.wasm$/, '.abi')
  return { wasm: readFileSync(path), abi: packedAbi(abi ?? beside) }
}

function wasmPath(path: string): string {
  if (path.endsWith('.wasm')) return path
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isDirectory() ? join(path, `${basename(path)}.wasm`) : `${path}.wasm`
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
