import { functionType } from '../wasm/module.ts'
import type { FuncType, WasmModule } from '../wasm/module.ts'
import type { BodyScan } from './scan_body.ts'

/** Depths that are not numbers yet. */
const UNKNOWN = -1
const OPEN = -2

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
  return new CallGraph(m, scans).greatestDepth(roots)
}

/**
 * The nodes are the module's own functions and, after them, the different types of indirect calls.
 * A call is an edge of length 1 to the function or to the type; from a type edges of length 0 lead
 * to the functions of the table that have it. So the edges are as many as the calls in the code and
 * the elements of the table, however many functions have one type.
 */
export class CallGraph {
  /** Edges that were followed: at most as many as there are. */
  visited_edges = 0
  private readonly imported: number
  private readonly scans: readonly BodyScan[]
  /** Number of each type among the different types. */
  private readonly type_numbers: Int32Array
  /** Functions of the table by the number of their type, each once. */
  private readonly targets: number[][]
  /** Nested calls below each node; UNKNOWN, or OPEN while the node is on the path. */
  private readonly depths: Int32Array

  constructor(m: WasmModule, scans: readonly BodyScan[]) {
    this.imported = m.imports.length
    this.scans = scans
    const different = new Map<string, number>()
    this.type_numbers = Int32Array.from(m.types, (type) => numberOf(type, different))
    this.targets = Array.from({ length: different.size }, () => [])
    for (const index of new Set(m.table)) {
      if (index >= 0) this.targets[numberOf(functionType(m, index)!, different)]!.push(index)
    }
    this.depths = new Int32Array(scans.length + different.size).fill(UNKNOWN)
  }

  /**
   * The greatest number of nested calls below the given functions; see {@link greatestCallDepth}.
   * @param roots numbers of functions, imported ones included
   */
  greatestDepth(roots: readonly number[]): number {
    let greatest = 0
    for (const root of roots) {
      if (root < this.imported) continue
      greatest = Math.max(greatest, this.depthBelow(root - this.imported))
    }
    return greatest
  }

  /**
   * Visits nodes depth first with an explicit path, because chains of calls may be longer than the
   * stack permits.
   */
  private depthBelow(root: number): number {
    const { depths } = this
    if (depths[root] !== UNKNOWN) return depths[root]!
    const path: number[] = [root]
    const next_edges: number[] = [0]
    depths[root] = OPEN
    const greatest: number[] = [0]
    while (path.length > 0) {
      const top = path.length - 1
      const node = path[top]!
      const below = this.edge(node, next_edges[top]!)
      if (below === undefined) {
        depths[node] = greatest[top]!
        path.pop()
        next_edges.pop()
        greatest.pop()
        continue
      }
      const known = below < 0 ? 0 : depths[below]!
      if (known === OPEN) return Infinity
      if (known === UNKNOWN) {
        path.push(below)
        next_edges.push(0)
        greatest.push(0)
        depths[below] = OPEN
        continue
      }
      this.visited_edges += 1
      next_edges[top]! += 1
      const length = node < this.scans.length ? 1 : 0
      greatest[top] = Math.max(greatest[top]!, known + length)
    }
    return depths[root]!
  }

  /** The target node of an edge; -1 for a host function, undefined if there are no more edges. */
  private edge(node: number, i: number): number | undefined {
    const functions = this.scans.length
    if (node >= functions) return this.functionNode(this.targets[node - functions]![i])
    const { calls, indirect_types } = this.scans[node]!
    if (i < calls.length) return this.functionNode(calls[i])
    const type = indirect_types[i - calls.length]
    return type === undefined ? undefined : functions + this.type_numbers[type]!
  }

  private functionNode(index: number | undefined): number | undefined {
    return index === undefined ? undefined : Math.max(-1, index - this.imported)
  }
}

function numberOf({ params, result }: FuncType, different: Map<string, number>): number {
  const key = `${params.join()}>${result}`
  let number = different.get(key)
  if (number === undefined) different.set(key, (number = different.size))
  return number
}
