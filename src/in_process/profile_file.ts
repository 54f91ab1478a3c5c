import type { CallNode } from '../engine/index.ts'

/** A node of a CPU profile. */
interface ProfileNode {
  id: number
  callFrame: {
    functionName: string
    scriptId: string
    url: string
    lineNumber: number
    columnNumber: number
  }
  hitCount: number
  children: number[]
}

/** The format in which Chrome saves profiles (devtools-protocol: Profiler.Profile); times in microseconds. */
export interface CpuProfile {
  nodes: ProfileNode[]
  startTime: number
  endTime: number
  samples: number[]
  timeDeltas: number[]
}

/**
 * The calls as a CPU profile: one sample for each way in which a function was called, as long as it has
 * instructions.
 */
export function cpuProfile(root: CallNode): CpuProfile {
  const nodes: ProfileNode[] = []
  const samples: number[] = []
  // A sample lasts until the next one.
  const timeDeltas = [0]
  const visit = (at: CallNode): number => {
    const id = nodes.length + 1
    const callFrame = {
      functionName: at.index < 0 && at.contract ? `${at.contract}: ${at.name}` : at.name,
      scriptId: '0',
      url: at.contract,
      lineNumber: -1,
      columnNumber: -1,
    }
    const node: ProfileNode = { id, callFrame, hitCount: at.calls, children: [] }
    nodes.push(node)
    if (at.instructions > 0) {
      samples.push(id)
      timeDeltas.push(at.instructions)
    }
    node.children = [...at.children.values()].map(visit)
    return id
  }
  visit(root)
  samples.push(1)
  const endTime = timeDeltas.reduce((sum, delta) => sum + delta, 0)
  return { nodes, startTime: 0, endTime, samples, timeDeltas }
}
