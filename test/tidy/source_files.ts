import { execFileSync } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

/** The TypeScript files below `folders` that git tracks or would track, relative to the root. */
export function sourceFiles(folders: readonly string[], pattern = /\.ts$/): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', ...folders],
    { cwd: ROOT, encoding: 'utf8' },
  )
  return [...new Set(listed.split('\n'))].filter((path) => pattern.test(path))
}
