/** Transactions: submitted, tried, read, refused. */
import { SignedTransaction, type Action } from '@wharfkit/antelope'
import { aliceKey, transfer } from './development_chain.ts'
import { keyOf, type ExampleNode } from './example_node.ts'
import type { ContextReader } from './story.ts'

export async function submissions(story: ContextReader, on: ExampleNode): Promise<void> {
  const lunch = await on.signed(['alice'], [await transfer(on, '25.0000 SYS', 'lunch')])
  const sent = await story.ask(on, 'push_transaction', { body: lunch })
  await on.produce()
  await blocksOf(story, on)
  const { transaction_id } = sent as { transaction_id: string }
  await story.ask(on, 'get_transaction_status', { body: { id: transaction_id } })
  await story.ask(on, 'get_transaction_trace', { body: { id: transaction_id } })
  await story.refused(on, 'ErrorConflict', '/v1/chain/send_transaction', lunch)

  const coffee = await transfer(on, '3.5000 SYS', 'coffee')
  await story.ask(on, 'send_transaction', { body: await on.signed(['alice'], [coffee]) })
  await sendTransaction2(story, on)
  await several(story, on)
  await tried(story, on)
  await refusedOnes(story, on)
  await minimal(story, on)
  await on.produce()
}

/** The block with the one transaction, in every form in which it can be had. */
async function blocksOf(story: ContextReader, on: ExampleNode): Promise<void> {
  const block_num_or_id = on.node.head_block_num
  await story.ask(on, 'get_block', { body: { block_num_or_id } })
  await story.ask(on, 'get_block_info', { body: { block_num: block_num_or_id } })
  const header = { block_num_or_id, include_extensions: true }
  await story.ask(on, 'get_block_header', { body: header })
  const by_text = { block_num_or_id: String(block_num_or_id) }
  await story.ask(on, 'get_block_header_state', { body: by_text })
  const block = await story.ask(on, 'get_raw_block', { body: by_text })
  await story.ask(on, 'push_block', { body: block })
  await story.ask(on, 'get_block_trace', { body: { block_num: block_num_or_id } })
}

async function sendTransaction2(story: ContextReader, on: ExampleNode): Promise<void> {
  const body = async (action: Action, rest: object) => ({
    return_failure_trace: true,
    ...rest,
    transaction: await on.signed(['alice'], [action]),
  })
  const cake = await transfer(on, '4.0000 SYS', 'cake')
  await story.ask(on, 'send_transaction2', { body: await body(cake, { retry_trx: false }) })
  const overdrawn = await transfer(on, '999999.0000 SYS', 'a house')
  const failing = await body(overdrawn, { retry_trx: false })
  await story.ask(on, 'send_transaction2', {
    body: failing,
    request: 'failure',
    response: 'failure',
  })
}

async function several(story: ContextReader, on: ExampleNode): Promise<void> {
  const actions = [await transfer(on, '1.0000 SYS', 'tea')]
  await story.ask(on, 'push_transactions', { body: [await on.signed(['alice'], actions)] })
  const transaction = await on.transaction([await transfer(on, '2.0000 SYS', 'juice')])
  const { chain_id } = await on.get<{ chain_id: string }>('get_info', {})
  const signatures = [keyOf('alice').signDigest(transaction.signingDigest(chain_id))]
  const unpacked = JSON.parse(
    JSON.stringify(SignedTransaction.from({ ...transaction, signatures })),
  ) as Record<string, unknown>
  delete unpacked.context_free_data
  await story.ask(on, 'push_transactions', { body: [unpacked], request: 'other', response: null })
}

/** What leaves no trace. */
async function tried(story: ContextReader, on: ExampleNode): Promise<void> {
  const action = await transfer(on, '5.0000 SYS', 'dinner')
  const transaction = await on.signed([], [action])
  await story.ask(on, 'compute_transaction', { body: transaction })
  const other = { request: 'other', body: { transaction } }
  await story.ask(on, 'compute_transaction', other)

  const asked = await on.action('hello', 'hi', '', { user: 'alice' })
  const read = { transaction: await on.signed([], [asked]) }
  await story.ask(on, 'send_read_only_transaction', { body: read })

  const plain = JSON.parse(JSON.stringify(await on.transaction([action]))) as object
  await story.ask(on, 'get_transaction_id', { body: plain })
  const available_keys = [aliceKey(), String(keyOf('bob').toPublic())]
  await story.ask(on, 'get_required_keys', { body: { transaction: plain, available_keys } })
}

async function refusedOnes(story: ContextReader, on: ExampleNode): Promise<void> {
  const send = '/v1/chain/send_transaction'
  const gift = await transfer(on, '1.0000 SYS', 'a gift')
  await story.refused(on, 'ErrorUnauthorized', send, await on.signed(['bob'], [gift]))
  const overdrawn = await transfer(on, '999999.0000 SYS', 'a house')
  await story.refused(
    on,
    'ErrorInternalServiceError',
    send,
    await on.signed(['alice'], [overdrawn]),
  )
  const late = await on.signed(['alice'], [gift], { lasts_sec: 1 })
  await on.produce(3)
  await story.refused(on, 'ErrorExpired', send, late)
  const trial = await on.signed([], [gift])
  while ((await on.node.chain('compute_transaction', trial)).status === 200);
  await story.refused(on, 'ErrorBusy', '/v1/chain/compute_transaction', trial)
}

/** Answers of those who want none. */
async function minimal(story: ContextReader, on: ExampleNode): Promise<void> {
  const prefer = 'return=minimal'
  const quiet = { prefer, request: null, response: 'minimal' }
  let cents = 0
  const next = async () => {
    cents += 1
    return on.signed(['alice'], [await transfer(on, `0.00${10 + cents} SYS`, 'a tip')])
  }
  for (const name of ['push_transaction', 'send_transaction']) {
    await story.ask(on, name, { ...quiet, body: await next() })
  }
  await story.ask(on, 'push_transactions', { ...quiet, body: [await next()] })
  await story.ask(on, 'send_transaction2', { ...quiet, body: { transaction: await next() } })
  await on.produce(3)
  await story.ask(on, 'compute_transaction', { ...quiet, body: await next() })
  const asked = await on.action('hello', 'hi', '', { user: 'bob' })
  const read = { transaction: await on.signed([], [asked]) }
  await story.ask(on, 'send_read_only_transaction', { ...quiet, body: read })
}
