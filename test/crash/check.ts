/** What must hold when a node was killed and is there again. */
import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { ask } from '../support/http.ts'
import type { NodeProcess } from '../support/node_process.ts'
import type { Info, Ledger, Request } from './ledger.ts'
import { stateHash } from './victim.ts'
import { blockNumOf, type Witness } from './witness.ts'

/** Throws what the node lost, or has wrong. */
export async function check(node: NodeProcess, ledger: Ledger, witness: Witness): Promise<void> {
  const info = (await node.chain('get_info')).body as Info
  ensure(
    info.head_block_num >= ledger.head,
    `the head is ${info.head_block_num}, ${ledger.head} was announced`,
  )
  ensure(
    info.last_irreversible_block_num >= ledger.irreversible,
    `${info.last_irreversible_block_num} is irreversible, ${ledger.irreversible} was`,
  )
  // It goes on by itself: what finalizers remember lets them vote.
  await checkState(node, witness)
  for (const [number, id] of ledger.blocks) {
    ensure(witness.blocks.get(number) === id, `block ${number} is not ${id} any more`)
  }
  for (const [id, number] of ledger.transactions) {
    ensure(witness.transactions.get(id) === number, `transaction ${id} of block ${number} is gone`)
  }
  ledger.blocks.clear()
  ledger.transactions.clear()
  for (const path of ledger.snapshots.keys()) ensure(existsSync(path), `${path} is gone`)
  await checkRequests(node, ledger)
}

/** The state is that of a chain that executed every block. */
export async function checkState(node: NodeProcess, witness: Witness): Promise<void> {
  const hash = await stateHash(node)
  await witness.follow(node, blockNumOf(hash))
  expect(hash, 'the state').deep.equal(await witness.hash())
}

/** The schedule is the one that was answered; what was under way at the kill may be in it or not. */
async function checkRequests(node: NodeProcess, ledger: Ledger): Promise<void> {
  const { body } = await ask(node.url, '/v1/producer/get_snapshot_requests')
  const { snapshot_requests } = body as { snapshot_requests: Request[] }
  const found = new Map(snapshot_requests.map((r) => [r.snapshot_request_id, r]))
  for (const [id, request] of ledger.requests) {
    const row = found.get(id)
    if (!row) {
      // One without spacing ends with its block.
      const over = request.block_spacing === 0 && request.start_block_num <= ledger.head + 10
      ensure(over || ledger.uncertain.has(`${id}`), `request ${id} for snapshots is gone`)
      ledger.requests.delete(id)
      continue
    }
    ensure(row.start_block_num === request.start_block_num, `request ${id} is another one`)
  }
  for (const [id, row] of found) {
    if (ledger.requests.has(id)) continue
    const { start_block_num, block_spacing } = row
    const about = { start_block_num, ...(block_spacing > 0 ? { block_spacing } : {}) }
    ensure(ledger.uncertain.has(JSON.stringify(about)), `nobody asked for request ${id}`)
    ledger.requests.set(id, row)
  }
  ledger.uncertain.clear()
}

function ensure(right: boolean, what: string): asserts right {
  if (!right) throw new Error(what)
}
