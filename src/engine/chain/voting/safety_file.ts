/**
 * The file in which the safety information of this node's finalizers survives the process, byte by
 * byte as the reference has it (`finalizers/safety.dat`).
 * spring: libraries/chain/finalizer.cpp (save_finalizer_safety_info, load_finalizer_safety_info)
 */
import { crc32 } from 'node:zlib'
import { check, rethrowAs } from '../../errors.ts'
import { BLS_PUBLIC_KEY_SIZE } from '../../protocol/finality.ts'
import { compareBytes, toHex } from '../../protocol/hex.ts'
import { Reader } from '../../protocol/reader.ts'
import { Writer } from '../../protocol/writer.ts'
import type { BlockRef } from '../headers/savanna/finality_core.ts'
import type { FinalizerSafety } from './finalizer_safety.ts'

const MAGIC = 0x5afe11115afe1111n
const VERSION = 1n

/** Of one finalizer. */
export interface SafetyRecord {
  public_key: Uint8Array
  safety: FinalizerSafety
}

function packRef(w: Writer, ref: BlockRef): void {
  w.raw(ref.block_id)
  w.u32(ref.timestamp)
  w.raw(ref.finality_digest)
}

function packRecord(w: Writer, { public_key, safety }: SafetyRecord): void {
  w.blob(public_key)
  packRef(w, safety.last_vote)
  packRef(w, safety.lock)
  w.u32(safety.other_branch_latest_time)
}

/** The file's bytes: finalizers that this node has no key of at present come first. */
export function packSafetyFile(
  inactive: readonly SafetyRecord[],
  active: readonly SafetyRecord[],
): Uint8Array {
  const w = new Writer(4096)
  w.u64(MAGIC)
  w.u64(VERSION)
  w.u64(BigInt(inactive.length + active.length))
  for (const list of [inactive, active]) {
    const sorted = [...list].sort((a, b) => compareBytes(a.public_key, b.public_key))
    for (const record of sorted) packRecord(w, record)
  }
  w.u32(crc32(w.view()))
  return w.bytes()
}

/** Generations are not stored, because no decision of finalizers depends on them. */
function unpackRef(r: Reader): BlockRef {
  return {
    block_id: r.checksum256().slice(),
    timestamp: r.u32(),
    finality_digest: r.checksum256().slice(),
    active_policy_generation: 0,
    pending_policy_generation: 0,
  }
}

function unpackKey(r: Reader): Uint8Array {
  const key = r.blob().slice()
  check(key.length === BLS_PUBLIC_KEY_SIZE, 'assert_exception', 'wrong size of a BLS public key')
  return key
}

function unpackRecord(r: Reader, version: bigint): SafetyRecord {
  const public_key = unpackKey(r)
  const last_vote = unpackRef(r)
  const lock = unpackRef(r)
  // Version 0 records only whether there was a vote on another branch since the last strong vote.
  const other = version === 0n ? (r.bool() ? last_vote.timestamp : 0) : r.u32()
  return { public_key, safety: { last_vote, lock, other_branch_latest_time: other } }
}

/**
 * Reads the file's bytes.
 * @throws ChainError finalizer_safety_exception, because a node must not vote without what it knew
 */
export function unpackSafetyFile(bytes: Uint8Array, path: string): Map<string, SafetyRecord> {
  return rethrowAs(
    'finalizer_safety_exception',
    `corrupted finalizer safety persistence file ${path}`,
    () => {
      const r = new Reader(bytes)
      check(
        r.u64() === MAGIC,
        'finalizer_safety_exception',
        `bad magic number in finalizer safety persistence file: ${path}`,
      )
      const version = r.u64()
      check(
        version <= VERSION,
        'finalizer_safety_exception',
        `Incorrect version number in finalizer safety persistence file: ${path}`,
      )
      const records = new Map<string, SafetyRecord>()
      const count = r.u64()
      for (let i = 0n; i < count; i++) {
        const record = unpackRecord(r, version)
        records.set(toHex(record.public_key), record)
      }
      const content = bytes.subarray(0, r.pos)
      check(
        // The first version has no checksum, but nothing behind the records either.
        version === 0n ? r.remaining() === 0 : r.u32() === crc32(content),
        'finalizer_safety_exception',
        `bad checksum reading finalizer safety persistence file: ${path}`,
      )
      return records
    },
  )
}
