/**
 * The messages between the recovery pool and its workers: one array of bytes for many requests, so
 * that small requests do not each cost a message.
 */
import { ChainError, ERRORS } from '../errors.ts'
import type { ErrorName } from '../errors.ts'
import { readPublicKey, readSignature, writePublicKey, writeSignature } from '../protocol/key.ts'
import { Reader } from '../protocol/reader.ts'
import { Writer } from '../protocol/writer.ts'

/** A worker's first message. */
export const READY = 'ready'

/** Signatures over one digest. */
export interface RecoveryRequest {
  digest: Uint8Array
  signatures: readonly Uint8Array[]
  /** Microseconds of work from its start; Infinity for no limit. */
  time_limit_us: number
}

/** The keys in the order of the signatures, and how long it took to find them. */
export interface Recovered {
  keys: Uint8Array[]
  /** Microseconds of work; waiting for a thread is not in it. */
  cpu_usage_us: number
}

/** Recovers keys, on other threads if possible. */
export interface KeyRecovery {
  recover(digest: Uint8Array, signatures: readonly Uint8Array[]): Promise<Recovered>
}

/** The keys, or the refusal. */
export type RecoveryAnswer = Recovered | Error

/** Packs requests for key recovery into one message to the worker thread. */
export function packRequests(requests: readonly RecoveryRequest[]): Uint8Array {
  const w = new Writer(requests.length * 128)
  w.varuint32(requests.length)
  for (const { digest, signatures, time_limit_us } of requests) {
    w.raw(digest)
    w.f64(time_limit_us)
    w.varuint32(signatures.length)
    for (const signature of signatures) writeSignature(w, signature)
  }
  return w.bytes()
}

/** Reads the message of {@link packRequests}. */
export function unpackRequests(bytes: Uint8Array): RecoveryRequest[] {
  return new Reader(bytes).array((r) => ({
    digest: r.checksum256(),
    time_limit_us: r.f64(),
    signatures: r.array(readSignature),
  }))
}

const KEYS = 0
const CHAIN_ERROR = 1
const OTHER_ERROR = 2

/** Packs recovered keys, or errors, into one message from the worker thread. */
export function packAnswers(answers: readonly RecoveryAnswer[]): Uint8Array {
  const w = new Writer(answers.length * 48)
  w.varuint32(answers.length)
  for (const answer of answers) {
    if (!(answer instanceof Error)) {
      w.u8(KEYS)
      w.array(answer.keys, writePublicKey)
      w.u32(answer.cpu_usage_us)
    } else if (answer instanceof ChainError) {
      w.u8(CHAIN_ERROR)
      w.string(answer.errorName)
      w.string(answer.message)
    } else {
      w.u8(OTHER_ERROR)
      w.string(answer.stack ?? answer.message)
    }
  }
  return w.bytes()
}

/** Reads the message of {@link packAnswers}. */
export function unpackAnswers(bytes: Uint8Array): RecoveryAnswer[] {
  return new Reader(bytes).array((r) => {
    const kind = r.u8()
    if (kind === KEYS) return { keys: r.array(readPublicKey), cpu_usage_us: r.u32() }
    const first = r.string()
    if (kind === CHAIN_ERROR && first in ERRORS) {
      return new ChainError(first as ErrorName, r.string())
    }
    return new Error(first)
  })
}
