/** The chain of most examples: a development chain with a token and three users. */
import { contractFiles } from '../../support/contracts.ts'
import { helloContract } from './contracts.ts'
import { ExampleNode, authorityOf, keyOf } from './example_node.ts'

const FEW_COMPUTED = ['--max-compute-transactions-per-second=3']

/** Starts it: accounts alice, bob and carol, contracts eosio.token and hello, 1000.0000 SYS. */
export async function developmentChain(
  folder: string,
  argv: readonly string[] = FEW_COMPUTED,
): Promise<ExampleNode> {
  const example = await ExampleNode.start(folder, argv)
  for (const name of ['eosio.token', 'hello', 'alice', 'bob', 'carol']) {
    await example.createAccount(name)
  }
  await example.produce()
  await example.deploy('eosio.token', contractFiles('eosio.token'))
  await example.deploy('hello', helloContract())
  await example.produce()
  const token = (name: string, actor: string, data: object) =>
    example.act('eosio.token', name, actor, data)
  await token('create', 'eosio.token', { issuer: 'alice', maximum_supply: '1000000.0000 SYS' })
  await token('issue', 'alice', { to: 'alice', quantity: '1000.0000 SYS', memo: 'the first' })
  await grantSpending(example)
  await example.produce(2)
  return example
}

/** Carol's key may transfer alice's tokens, and do nothing else for her. */
async function grantSpending(example: ExampleNode): Promise<void> {
  const permission = { account: 'alice', permission: 'spending', parent: 'active' }
  const accounts = [{ permission: { actor: 'carol', permission: 'active' }, weight: 1 }]
  const auth = { ...authorityOf('alice'), accounts }
  await example.act('eosio', 'updateauth', 'alice', { ...permission, auth })
  const link = { code: 'eosio.token', type: 'transfer', requirement: 'spending' }
  await example.act('eosio', 'linkauth', 'alice', { account: 'alice', ...link })
}

/** A transfer of alice to bob, as an action. */
export function transfer(example: ExampleNode, quantity: string, memo: string) {
  const data = { from: 'alice', to: 'bob', quantity, memo }
  return example.action('eosio.token', 'transfer', 'alice', data)
}

/** The public key of alice, in the form of `PUB_K1_…`. */
export const aliceKey = () => String(keyOf('alice').toPublic())
