/**
 * A project in which the package is installed as users install it: from the packed tarball, by npm, without the clone.
 * It is made once for all guides, with the versions that the lock file of the clone names, so that npm needs little
 * that it has not fetched for the clone.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtProgram, temporaryFolder } from '../support/node_process.ts'
import { PACKAGE } from '../support/test_node.ts'

interface LockEntry {
  version?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
type Lock = Record<string, LockEntry>

/** A folder with node_modules, and how to remove it. */
export interface InstalledProject {
  path: string
  remove: () => void
}

/**
 * Packs and installs.
 * @param packages what is installed beside pronghorn, as guides name it
 */
export function installProject(packages: readonly string[]): InstalledProject {
  builtProgram()
  const folder = temporaryFolder()
  try {
    const npm = (cwd: string, ...args: string[]) =>
      execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    // The build is fresh; scripts would make it again.
    const packed = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder.path]
    const [made] = JSON.parse(npm(PACKAGE, ...packed)) as [{ filename: string; integrity: string }]
    const write = (name: string, value: unknown) =>
      writeFileSync(join(folder.path, name), JSON.stringify(value))
    const { packages: lock } = read('package-lock.json') as { packages: Lock }
    const tarball = `file:${made.filename}`
    const versions = packages.map((name) => [name, lock[`node_modules/${name}`]!.version!])
    const wanted = { pronghorn: tarball, ...Object.fromEntries(versions) } as Record<string, string>
    write('package.json', { name: 'project', version: '1.0.0', devDependencies: wanted })
    write('package-lock.json', {
      name: 'project',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name: 'project', version: '1.0.0', devDependencies: wanted },
        'node_modules/pronghorn': { ...manifest(), resolved: tarball, integrity: made.integrity },
        ...needed(lock, [...Object.keys(manifest().dependencies), ...packages]),
      },
    })
    npm(folder.path, 'install', '--prefer-offline', '--no-audit', '--no-fund')
    return folder
  } catch (error) {
    folder.remove()
    throw error
  }
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(PACKAGE, name), 'utf8'))
}

/** What a lock file says about the package. */
function manifest() {
  const { version, dependencies, bin, engines } = read('package.json') as {
    version: string
    dependencies: Record<string, string>
    bin: Record<string, string>
    engines: Record<string, string>
  }
  return { version, dependencies, bin, engines, hasInstallScript: true }
}

/** The entries of packages and of all that they need. */
function needed(lock: Lock, names: readonly string[]): Lock {
  const found: Lock = {}
  const add = (name: string, from: string): void => {
    const path = placeOf(lock, name, from)
    if (path === undefined || found[path]) return
    const entry = (found[path] = lock[path]!)
    const all = { ...entry.dependencies, ...entry.optionalDependencies }
    for (const other of Object.keys(all)) add(other, path)
  }
  for (const name of names) add(name, '')
  return found
}

/** Where Node.js finds a package from another one; undefined for an optional one that is not there. */
function placeOf(lock: Lock, name: string, from: string): string | undefined {
  for (let at = from; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at}/node_modules/${name}`
    if (lock[path]) return path
  }
  return lock[`node_modules/${name}`] ? `node_modules/${name}` : undefined
}
