/** What is read of the chain and of the node, and what is not there. */
import { aliceKey } from './development_chain.ts'
import type { ExampleNode } from './example_node.ts'
import type { ContextReader } from './story.ts'

/** Operations whose request example is written by hand. */
const PLAIN = [
  'get_info',
  'get_account',
  'get_code',
  'get_code_hash',
  'get_abi',
  'get_raw_abi',
  'get_raw_code_and_abi',
  'get_table_rows',
  'get_table_by_scope',
  'get_currency_balance',
  'get_currency_stats',
  'get_producers',
  'get_producer_schedule',
  'get_activated_protocol_features',
  'get_consensus_parameters',
  'get_finalizer_info',
  'get_supported_apis',
  'get_health',
  'get',
  'get_supported_protocol_features',
]

export async function reads(story: ContextReader, on: ExampleNode): Promise<void> {
  for (const name of PLAIN) await story.ask(on, name)
  for (const name of ['get_activated_protocol_features', 'get_supported_protocol_features']) {
    await story.ask(on, name, { request: 'other' })
  }
  const body = { accounts: [], keys: [aliceKey()] }
  await story.ask(on, 'get_accounts_by_authorizers', { body })

  await story.refused(on, 'ErrorBadRequest', '/v1/chain/get_account', 'no JSON')
  await story.refused(on, 'ErrorUnknownBlock', '/v1/chain/get_block', { block_num_or_id: 99999999 })
  await story.refused(on, 'ErrorUnknownAccount', '/v1/chain/get_abi', { account_name: 'nobody' })
  await story.refused(on, 'ErrorNotFound', '/v1/chain/get_nothing')
  const long = { account_name: ' '.repeat(3_000_000) }
  await story.refused(on, 'ErrorPayloadTooLarge', '/v1/chain/get_account', long)
  const no_code = { account_name: 'hello', code_as_wasm: 0 }
  await story.refused(on, 'ErrorUnsupported', '/v1/chain/get_code', no_code)
}
