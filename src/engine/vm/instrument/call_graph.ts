import { functionType, sameType } from '../wasm/module.ts'
import type { WasmModule } from '../wasm/module.ts'
import type { BodyScan } from './scan_body.ts'

/** Chains longer than this are reported as endless. */
const LONGEST = 2000

/**
 * The greatest number of nested calls that can happen below the given functions, host functions
 * included; Infinity where there may be recursion. An indirect call may reach every function of
 * the table that has its type.
 */
export function greatestCallDepth(
  m: WasmModule,
  scans: readonly BodyScan[],
  roots: readonly number[],
): number {
  const graph: Graph = {
    m,
    scans,
    targets: new Map(),
    depths: new Map(),
  }
  let greatest = 0
  for (const root of roots) greatest = Math.max(greatest, depthBelow(graph, root, 0))
  return greatest
}

interface Graph {
  m: WasmModule
  scans: readonly BodyScan[]
  /** Functions of the table by type index. */
  targets: Map<number, number[]>
  /** Known depths; NaN marks a function that is being looked at. */
  depths: Map<number, number>
}

function depthBelow(g: Graph, index: number, level: number): number {
  if (index < g.m.imports.length) return 0
  if (level > LONGEST) return Infinity
  const known = g.depths.get(index)
  if (known !== undefined) return Number.isNaN(known) ? Infinity : known
  g.depths.set(index, NaN)
  const scan = g.scans[index - g.m.imports.length]!
  let depth = 0
  const visit = (callee: number): void => {
    if (depth !== Infinity) depth = Math.max(depth, 1 + depthBelow(g, callee, level + 1))
  }
  scan.calls.forEach(visit)
  for (const type of scan.indirect_types) {
    // A call that finds nothing traps, but counts as a call first.
    depth = Math.max(depth, 1)
    tableTargets(g, type).forEach(visit)
  }
  g.depths.set(index, depth)
  return depth
}

function tableTargets(g: Graph, type_index: number): number[] {
  let targets = g.targets.get(type_index)
  if (targets === undefined) {
    const type = g.m.types[type_index]!
    const all = new Set(g.m.table ?? [])
    all.delete(-1)
    targets = [...all].filter((index) => sameType(functionType(g.m, index)!, type))
    g.targets.set(type_index, targets)
  }
  return targets
}
