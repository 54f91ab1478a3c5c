import {
  chainId,
  chainIdOfLog,
  chainIdOfSnapshot,
  defaultGenesis,
  toHex,
  type EngineOptions,
} from '../engine/index.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'

type Source = Pick<EngineOptions, 'blocks_dir' | 'genesis' | 'snapshot' | 'replay'>

/**
 * The setting or file that belongs to another chain than the development chain, or to a node that
 * does not produce. The user sees it when nothing is produced for that reason.
 * @returns undefined if there is none: without a producer-name, the node then runs a development
 *   chain
 * @throws ChainError when a block log or a snapshot cannot be read
 */
export function otherChain(values: OptionValues, source: Source): string | undefined {
  const [plugin] = values.list('plugin')
  // A config file of nodeos must not make another chain than nodeos does.
  if (plugin !== undefined) {
    return `plugin ${plugin} is named, as for nodeos (a development chain serves everything without plugin lines)`
  }
  const [peer] = values.list('p2p-peer-address')
  if (peer !== undefined)
    return `p2p-peer-address names the peer ${peer}, whose chain this node follows`
  if (values.text('read-mode') === 'irreversible') {
    return 'read-mode is irreversible, and such a node does not produce'
  }
  const development = toHex(chainId(defaultGenesis()))
  for (const [where, id] of chainsOf(values, source)) {
    if (id !== development) return `${where} is of chain ${id}, which is not a development chain`
  }
  return undefined
}

/**
 * Checks that a given genesis is that of the chain in the folder.
 * @throws OptionError that says what to do; ChainError when the block log cannot be read
 */
export function checkGenesisFits(values: OptionValues, { genesis, blocks_dir }: Source): void {
  const id = folderChain(values, blocks_dir)
  if (!genesis || id === undefined) return
  const given = toHex(chainId(genesis))
  if (given === id) return
  const option = values.isGiven('genesis-json') ? 'genesis-json' : 'genesis-timestamp'
  throw new OptionError(
    `${option}: this genesis makes chain ${given}, but ${blocks_dir} has blocks of chain ${id}; ` +
      `continue that chain without ${option}, name another data-dir for the new chain, ` +
      'or give delete-all-blocks too, which deletes the old one',
  )
}

/** Every chain that is spoken of: where, and its id in hex. */
function* chainsOf(
  values: OptionValues,
  { blocks_dir, genesis, snapshot, replay }: Source,
): Generator<[string, string]> {
  if (genesis) yield ['the genesis that is given', toHex(chainId(genesis))]
  if (snapshot !== undefined) yield [snapshot, toHex(chainIdOfSnapshot(snapshot))]
  if (replay !== undefined) {
    const id = chainIdOfLog(replay)
    if (id) yield [replay, toHex(id)]
  }
  const id = folderChain(values, blocks_dir)
  if (id !== undefined) yield [blocks_dir, id]
}

/** The chain whose blocks are in the folder and stay there, in hex. */
function folderChain(values: OptionValues, blocks_dir: string): string | undefined {
  if (values.switch('delete-all-blocks')) return undefined
  const id = chainIdOfLog(blocks_dir)
  return id && toHex(id)
}
