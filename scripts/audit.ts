/**
 * `make audit`: known holes in the packages that a node runs with: those that are installed with it, and those
 * whose code is in the program (dist/program/packages.json, made by the build). A finding of level high or above
 * fails; a registry that cannot be asked is told, and fails nothing.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Levels that fail, as npm names them. */
const SEVERE: readonly string[] = ['high', 'critical']

interface AuditReport {
  auditReportVersion?: number
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>
  /** What npm says when the registry did not answer. */
  message?: string
}

export interface Verdict {
  failed: boolean
  lines: string[]
}

/**
 * @param json what `npm audit --json` printed
 * @param packages the packages that count
 */
export function auditVerdict(json: string, packages: ReadonlySet<string>): Verdict {
  const report = parsed(json)
  if (report?.auditReportVersion === undefined || !report.vulnerabilities) {
    const why = report?.message ?? 'its answer is no report'
    return { failed: false, lines: [`not audited: the registry cannot be asked (${why})`] }
  }
  const found = Object.values(report.vulnerabilities).filter(({ name }) => packages.has(name))
  const severe = found.filter(({ severity }) => SEVERE.includes(severity))
  const lines = found.map(({ name, severity, range }) => `${severity}: ${name} ${range}`)
  lines.push(`audited: ${found.length} known holes, ${severe.length} of them high or critical`)
  return { failed: severe.length > 0, lines }
}

interface Lock {
  packages: Record<string, { dev?: boolean }>
}

/** Names of the packages that an installation without development packages has. */
export function installedPackages({ packages }: Lock): string[] {
  const folders = Object.entries(packages).filter(([folder, { dev }]) => folder !== '' && !dev)
  return folders.map(([folder]) => folder.replace(/^.*node_modules\//, ''))
}

function parsed(json: string): AuditReport | undefined {
  try {
    return JSON.parse(json) as AuditReport
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8' })
  const read = (path: string): unknown =>
    JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
  const bundled = read('dist/program/packages.json') as string[]
  const packages = new Set([...bundled, ...installedPackages(read('package-lock.json') as Lock)])
  const { failed, lines } = auditVerdict(stdout ?? '', packages)
  console.log(lines.join('\n'))
  process.exitCode = failed ? 1 : 0
}
