import { DEVELOPMENT_PRIVATE_KEY, DEVELOPMENT_PUBLIC_KEY } from './development.ts'
import type { Node } from './node.ts'

/** The information for a user who has just started the node. */
export function readyText(node: Node, version: string): string {
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
  if (settings.development) {
    rows.push(
      ['development key', DEVELOPMENT_PUBLIC_KEY],
      ['its private key', `${DEVELOPMENT_PRIVATE_KEY} (known to everyone: for development only)`],
    )
  }
  const producers = settings.producer_names.join(', ') || 'nobody'
  rows.push(['producing for', engine.api.producer.paused() ? `${producers} (paused)` : producers])
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
  return [`pronghorn ${version} is ready`, ...lines, ''].join('\n')
}
