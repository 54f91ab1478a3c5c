import { nameFromString, toHex, type Engine, type Log } from '../engine/index.ts'
import { OptionError } from '../engine/options/option_error.ts'
import { Preparer, type PreparingNode } from '../project/prepare.ts'
import { isEmpty, type Project } from '../project/project.ts'
import { watchContracts } from '../project/watch.ts'
import { DEVELOPMENT_PRIVATE_KEY } from './development.ts'
import type { Node } from './node.ts'

/**
 * Brings the chain of a node that has started to what its project asks for.
 * @param found_file the configuration, if nothing asked for it: a chain that is not a development chain ignores it
 * @returns ends the watch of contracts
 * @throws PreparationError, OptionError
 */
export async function prepareChain(
  node: Node,
  project: Project,
  found_file: string | undefined,
  log: Log,
): Promise<() => void> {
  if (isEmpty(project)) return () => {}
  if (!node.settings.development) {
    const text = 'accounts, contracts and actions can be prepared only on a development chain'
    if (found_file === undefined) throw new OptionError(text)
    log('warn', `${found_file} is not used: ${text}`)
    return () => {}
  }
  const preparer = new Preparer(project, {
    node: preparingNode(node),
    system_key: DEVELOPMENT_PRIVATE_KEY,
    is_new: node.is_new_chain,
    log: (message) => log('info', message),
  })
  await preparer.run()
  return project.watch ? watchContracts(project.contracts, preparer, log) : () => {}
}

/** A watch of contracts continues with the chain that takes the place of this one. */
function preparingNode(node: Node): PreparingNode {
  const api = (): Engine['api'] => node.engine.api
  return {
    get_info: async () => api().chain.getInfo(),
    get_raw_abi: async (body) => api().chain.getRawAbi(body),
    send_transaction2: (body) =>
      api().chain.sendTransaction2({ ...body, return_failure_trace: false }),
    code_hash: (account) => {
      const row = node.engine.chain.db.account_metadata.find('by_name', nameFromString(account))
      return row && toHex(row.code_hash)
    },
  }
}
