/** npm packages with native code: how they are loaded, and what to do where one does not load. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A package that does not load; the message is one line that names it and says what to do. */
export class NativePackageError extends Error {}

/**
 * Loads a package with native code, or a module of it (`secp256k1/bindings.js`).
 * @throws NativePackageError
 */
export function loadNativePackage(module: string): unknown {
  try {
    return require(module)
  } catch (error) {
    throw new NativePackageError(failureText(module.split('/')[0] as string, error), {
      cause: error,
    })
  }
}

function failureText(name: string, error: unknown): string {
  const reasons = reasonsOf(error)
  const reason = reasons.at(-1) as string
  const place = `${process.platform}-${process.arch}, Node.js ${process.versions.node}`
  return `the npm package ${name} cannot be loaded (${place}): ${reason}; ${advice(reasons.join('\n'))}`
}

/** The first lines of an error's messages, from the error down to its last cause. */
function reasonsOf(error: unknown): string[] {
  const reasons: string[] = []
  for (let at: unknown = error; at !== undefined; at = at instanceof Error ? at.cause : undefined) {
    const text = at instanceof Error ? at.message : String(at)
    reasons.push(text.split('\n')[0] as string)
  }
  return reasons
}

function advice(reasons: string): string {
  if (/libatomic/.test(reasons)) {
    return 'install libatomic (on Debian and Ubuntu: apt-get install libatomic1)'
  }
  if (/GLIBC/.test(reasons))
    return 'it needs a newer C library (glibc 2.34: Debian 12, Ubuntu 22.04)'
  if (/Cannot find addon|No native build/.test(reasons)) {
    return 'it has no build for this system in it: install the packages on this system (npm ci)'
  }
  return 'install the packages of pronghorn again on this system (npm ci)'
}
