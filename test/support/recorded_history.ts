/** What the reference told of the recorded chain's history, and the files that it wrote meanwhile. */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

const FOLDER = new URL('../fixtures/recordings/history/', import.meta.url)

/** The content of a recorded file. */
export function recordedFile(name: string): Buffer {
  return brotliDecompressSync(readFileSync(new URL(`${name}.br`, FOLDER)))
}

function lines<T>(name: string): T[] {
  const text = recordedFile(name).toString()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

/** A connection of state history: messages in hex, the first received one is the ABI. */
export interface RecordedConnection {
  name: string
  sent: string[]
  received: (string | { text: string })[]
  closed: { code: number }
}

export const recordedConnections = (): RecordedConnection[] =>
  lines<RecordedConnection>('ship.jsonl')

/** A request of the trace API and its answer. */
export interface RecordedTraceAnswer {
  path: string
  body?: string
  status: number
  response: string
}

export const recordedTraceAnswers = (): RecordedTraceAnswer[] =>
  lines<RecordedTraceAnswer>('traces.jsonl')
