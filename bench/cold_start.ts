/** From the command to the first answered get_info, as a user waits for it. */
import { NodeProcess } from './support/node_process.ts'

const RUNS = 5

/** @returns seconds: the median of several starts on new folders */
export async function coldStart(): Promise<number> {
  const seconds: number[] = []
  for (let i = 0; i < RUNS; i++) {
    const begin = performance.now()
    const node = await NodeProcess.start()
    await node.post('/v1/chain/get_info')
    seconds.push((performance.now() - begin) / 1000)
    await node.stop()
  }
  return seconds.sort((a, b) => a - b)[RUNS >> 1]!
}
