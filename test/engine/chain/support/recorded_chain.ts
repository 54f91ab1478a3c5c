import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { unpackSignedBlock } from '../../../../src/engine/protocol/block.ts'
import type { SignedBlock } from '../../../../src/engine/protocol/block.ts'
import { unpackGenesis } from '../../../../src/engine/protocol/genesis.ts'
import type { GenesisState } from '../../../../src/engine/protocol/genesis.ts'
import { Reader } from '../../../../src/engine/protocol/reader.ts'

/** A block log of the reference, all in memory. */
export interface RecordedChain {
  genesis: GenesisState
  /** From block 1. */
  blocks: { block: SignedBlock; packed: Uint8Array }[]
}

/** The recorded chain that is part of the project. */
export const RECORDED_LOG = fileURLToPath(
  new URL('../../../fixtures/recordings/one/blocks.log', import.meta.url),
)

/** The reference's own test chains, which are not part of the project; undefined where absent. */
export function referenceLog(name: string): string | undefined {
  const path = fileURLToPath(
    new URL(`../../../../../shared/reference/${name}/blocks.log`, import.meta.url),
  )
  return existsSync(path) ? path : undefined
}

/** Reads a block log that starts at block 1 (formats 2 and 3). */
export function readRecordedChain(path: string): RecordedChain {
  const bytes = new Uint8Array(readFileSync(path))
  const reader = new Reader(bytes)
  reader.u32()
  const first = reader.u32()
  if (first !== 1) throw new Error(`${path} starts at block ${first}`)
  const genesis = unpackGenesis(reader)
  reader.u64()
  const blocks = []
  while (reader.remaining() > 0) {
    const start = reader.pos
    const block = unpackSignedBlock(reader)
    blocks.push({ block, packed: bytes.subarray(start, reader.pos) })
    reader.u64()
  }
  return { genesis, blocks }
}
