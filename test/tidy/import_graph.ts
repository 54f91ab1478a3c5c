import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ROOT } from './source_files.ts'

/** Which files each file imports; paths relative to the root. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** What a file imports, as it is written there; imports of types count too. */
export function importsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)
}

/** The file that a relative import in `path` means, relative to the root. */
export function importedFile(path: string, name: string): string {
  return relative(ROOT, resolve(ROOT, dirname(path), name))
}

/** The imports of files from one another. */
export function importGraph(paths: readonly string[]): ImportGraph {
  const relativeImports = (path: string): string[] =>
    importsOf(path).flatMap((name) => (name.startsWith('.') ? [importedFile(path, name)] : []))
  return new Map(paths.map((path) => [path, relativeImports(path)]))
}

/** The circles of a graph: its strongly connected components of two files and more, and files that
 *  import themselves (Tarjan's algorithm). */
export function circlesOf(graph: ImportGraph): string[][] {
  const order = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []

  const visit = (file: string): number => {
    const number = order.size
    let low = number
    order.set(file, number)
    open.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target))
      else if (open.includes(target)) low = Math.min(low, order.get(target)!)
    }
    if (low === number) {
      const circle = open.splice(open.indexOf(file))
      if (circle.length > 1 || graph.get(file)?.includes(file)) circles.push(circle.sort())
    }
    return low
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return circles
}
