/**
 * `make audit`: known holes in the packages that a node runs with. A finding of level high or above
 * fails; a registry that cannot be asked is told, and fails nothing.
 */
import { spawnSync } from 'node:child_process'
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

/** @param json what `npm audit --json` printed */
export function auditVerdict(json: string): Verdict {
  const report = parsed(json)
  if (report?.auditReportVersion === undefined || !report.vulnerabilities) {
    const why = report?.message ?? 'its answer is no report'
    return { failed: false, lines: [`not audited: the registry cannot be asked (${why})`] }
  }
  const found = Object.values(report.vulnerabilities)
  const severe = found.filter(({ severity }) => SEVERE.includes(severity))
  const lines = found.map(({ name, severity, range }) => `${severity}: ${name} ${range}`)
  lines.push(`audited: ${found.length} known holes, ${severe.length} of them high or critical`)
  return { failed: severe.length > 0, lines }
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
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' })
  const { failed, lines } = auditVerdict(stdout ?? '')
  console.log(lines.join('\n'))
  process.exitCode = failed ? 1 : 0
}
