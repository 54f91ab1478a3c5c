import { DEVELOPMENT_PRIVATE_KEY, DEVELOPMENT_PUBLIC_KEY } from './development.ts'
import { isEmpty, type Project, type ProjectAccount } from '../project/project.ts'
import type { Node } from './node.ts'

/** The information for a user who has just started the node. */
export function readyText(node: Node, version: string, project: Project): string {
  const { engine, server, settings } = node
  const info = engine.api.chain.getInfo()
  const [address] = server.addresses
  const rows: [string, string][] = [
    [engine.chain.is_fork ? 'A FORK of chain' : 'chain id', info.chain_id],
    ['head block', `${info.head_block_num}`],
    ['data', settings.data_dir],
    ...server.addresses.map((text): [string, string] => ['listening on', text]),
  ]
  if (address?.startsWith('http')) rows.push(['docs', `${address}/docs`])
  if (engine.chain.is_fork) {
    rows.push(['accounts', 'all of the chain; transactions need no signatures'])
    rows.push(...keyRows(project.accounts))
  } else if (settings.development) {
    rows.push(
      ['development key', DEVELOPMENT_PUBLIC_KEY],
      ['its private key', `${DEVELOPMENT_PRIVATE_KEY} (known to everyone: for development only)`],
      ...accountRows(project.accounts),
    )
  }
  const producers = settings.producer_names.join(', ') || 'nobody'
  rows.push(['producing for', engine.api.producer.paused() ? `${producers} (paused)` : producers])
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
  const steps =
    settings.development && address?.startsWith('http') ? nextSteps(address, project) : []
  return [`pronghorn ${version} is ready`, ...lines, ...steps, ''].join('\n')
}

/** Accounts with the development key in one row, and each other one with its keys. */
function accountRows(accounts: readonly ProjectAccount[]): [string, string][] {
  const shared = accounts.filter((account) => !hasOwnKey(account)).map(({ name }) => name)
  return [
    ['accounts', `${['eosio', ...shared].join(', ')} (all with the development key)`],
    ...keyRows(accounts),
  ]
}

/** Accounts with keys of their own. */
function keyRows(accounts: readonly ProjectAccount[]): [string, string][] {
  return accounts
    .filter(hasOwnKey)
    .flatMap(({ name, public_key, private_key }): [string, string][] => [
      [`account ${name}`, public_key],
      ['its private key', private_key],
    ])
}

function hasOwnKey({ private_key }: ProjectAccount): boolean {
  return private_key !== DEVELOPMENT_PRIVATE_KEY
}

/** What to do now. */
function nextSteps(url: string, project: Project): string[] {
  const prepare = [
    'create accounts and deploy a contract; start again with',
    '  --account alice bob --deploy mytoken=build/mytoken --watch',
  ]
  return [
    '',
    'Next:',
    ...[`ask the node: curl ${url}/v1/chain/get_info`, `read the guides: ${url}/docs/guides`],
    ...(isEmpty(project) ? prepare : []),
    'make a project with a contract and its test: npx pronghorn init my-project',
    'stop the node: Ctrl-C; a restart continues the chain, with --delete-all-blocks a new one starts',
  ].map((line) => (line === '' || line === 'Next:' ? line : `  ${line}`))
}
