import { statSync } from 'node:fs'
import type { Log } from '../engine/index.ts'
import type { Preparer } from './prepare.ts'
import type { ProjectContract } from './project.ts'

/** How often the files are looked at. Notifications of the system are not reliable everywhere. */
const INTERVAL_MS = 300

/**
 * Deploys a contract again when its files have changed and are complete. What fails is logged, and the next change
 * is tried.
 * @returns ends the watch
 */
export function watchContracts(
  contracts: readonly ProjectContract[],
  preparer: Preparer,
  log: Log,
): () => void {
  const seen = new Map(contracts.map((contract) => [contract, stateOf(contract)]))
  const changed = new Set<ProjectContract>()
  let deploying = false
  const look = async (): Promise<void> => {
    if (deploying) return
    deploying = true
    for (const contract of contracts) {
      const state = stateOf(contract)
      if (state !== seen.get(contract)) {
        // A compiler may still be writing: it is deployed when nothing has changed since the last look.
        seen.set(contract, state)
        changed.add(contract)
      } else if (changed.delete(contract)) {
        await deploy(contract)
      }
    }
    deploying = false
  }
  const deploy = async (contract: ProjectContract): Promise<void> => {
    try {
      if (!(await preparer.deploy(contract))) log('info', `${contract.wasm} has the same contract`)
    } catch (error) {
      log(
        'error',
        `${contract.wasm} is not deployed on ${contract.account}: ${(error as Error).message}`,
      )
    }
  }
  for (const { account, wasm } of contracts) log('info', `watching ${wasm} for ${account}`)
  const timer = setInterval(() => void look(), INTERVAL_MS)
  return () => clearInterval(timer)
}

/** What differs after a change of the files. */
function stateOf({ wasm, abi }: ProjectContract): string {
  return [wasm, abi]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stat) => (stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : 'absent'))
    .join(', ')
}
