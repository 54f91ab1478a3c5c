/**
 * Every recorded read and every refused request, sent to a node that executed the recorded blocks:
 * each answer is the reference's, or differs for a reason that is written down.
 */
import { expect } from 'chai'
import type { TestNode } from '../support/test_node.ts'
import { ADDED_FIELDS, REASONS, reasonFor } from './reasons.ts'
import type { Reason } from './reasons.ts'
import { difference, operationOf } from './recordings/compare.ts'
import type { Difference } from './recordings/compare.ts'
import { startReplayedNode } from './recordings/replayed_node.ts'
import { loadRecording } from './support.ts'
import type { Exchange } from './support.ts'

interface Tally {
  equal: number
  reasoned: number
  different: number
}

describe('recorded reads', () => {
  const exchanges = loadRecording('one/reads')
  const tallies = new Map<string, Tally>()
  const met = new Set<Reason>()
  const differences: string[] = []
  let node: TestNode

  before(async () => {
    node = await startReplayedNode()
  })
  after(async () => {
    await node.stop()
    printTable(tallies)
  })

  it('are all answered, those too that the reference answered not at all', async () => {
    for (const exchange of exchanges) {
      const { method, path, body, status } = exchange
      const answer = await node.ask(path, { method, ...(body === null ? {} : { body }) })
      const tally = tallies.get(path) ?? { equal: 0, reasoned: 0, different: 0 }
      tallies.set(path, tally)
      // The reference closed the connection.
      if (status === 0) {
        expect(answer.status).within(400, 499)
        continue
      }
      const added = ADDED_FIELDS[operationOf(path)]
      const found = difference(exchange, answer, answer.status < 300 ? added : [])
      const reason = found && reasonFor(exchange, found)
      if (reason) met.add(reason)
      else if (found) differences.push(describeDifference(exchange, found))
      tally[reason ? 'reasoned' : found ? 'different' : 'equal']++
    }
    expect(exchanges.length).greaterThan(1200)
  })

  it('as the reference answered them, except for documented reasons', () => {
    expect(differences, differences.join('\n')).deep.equal([])
  })

  it('every documented reason applies', () => {
    expect(REASONS.filter((reason) => !met.has(reason))).deep.equal([])
  })

  it('leave no fault in the log', () => {
    expect(node.faults).deep.equal([])
  })
})

function describeDifference(
  { method, path, body, note }: Exchange,
  { reference, ours }: Difference,
): string {
  // From where they part; what is before is equal.
  let at = 0
  while (reference[at] === ours[at]) at++
  const part = (text: string) =>
    `${text.slice(0, 4)}… ${text.slice(Math.max(0, at - 60), at + 300)}`
  const asked = `${method} ${path} ${note ?? ''} ${body?.slice(0, 300)}`
  return `${asked}\n  reference ${part(reference)}\n  ours      ${part(ours)}`
}

function printTable(tallies: ReadonlyMap<string, Tally>): void {
  const row = (cells: (string | number)[]) =>
    `    ${String(cells[0]).padEnd(60)}${cells
      .slice(1)
      .map((c) => String(c).padStart(10))
      .join('')}`
  const sum = (key: keyof Tally) => [...tallies.values()].reduce((total, t) => total + t[key], 0)
  const lines = [...tallies].map(([path, t]) => row([path, t.equal, t.reasoned, t.different]))
  const total = row(['all', sum('equal'), sum('reasoned'), sum('different')])
  const head = row(['answers of', 'equal', 'reason', 'different'])
  console.log([head, ...lines, total].join('\n'))
}
