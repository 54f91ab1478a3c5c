/** The blocks that the reference wrote, from the fixture. */
import { readFileSync } from 'node:fs'
import { unpackGenesis } from '../../../src/engine/protocol/genesis.ts'
import type { GenesisState } from '../../../src/engine/protocol/genesis.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'

export const FIXTURE = new URL('../../fixtures/recordings/one/', import.meta.url)

/** A block log of version 3 from block 1: genesis, then each packed block with its position. */
export function recordedBlocks(): { genesis: GenesisState; blocks: Uint8Array[] } {
  const file = new Uint8Array(readFileSync(new URL('blocks.log', FIXTURE)))
  const r = new Reader(file)
  const version = r.u32()
  const first = r.u32()
  if (version !== 3 || first !== 1) throw new Error(`unexpected log ${version} from ${first}`)
  const genesis = unpackGenesis(r)
  r.u64()
  // Each block is followed by its position; the last position is at the end of the file.
  const starts: number[] = []
  for (let end = file.length; end > r.pos;) {
    const start = Number(new Reader(file, end - 8).u64())
    starts.unshift(start)
    end = start
  }
  const blocks = starts.map((start, i) => file.subarray(start, (starts[i + 1] ?? file.length) - 8))
  return { genesis, blocks }
}

export function recordedGenesisJson(): unknown {
  return JSON.parse(readFileSync(new URL('genesis.json', FIXTURE), 'utf8'))
}
