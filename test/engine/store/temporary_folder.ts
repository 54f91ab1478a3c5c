import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new empty folder, removed after the suite that asks for it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-store-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
