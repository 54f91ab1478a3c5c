/**
 * The library of chain types that users of VeRT have: `@wharfkit/antelope`, or its older name
 * `@greymass/eosio`. Values of its classes are part of VeRT's API, so they must be of the copy that
 * the tests import; this package has none of its own.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The types of the library; both packages have those that are used here. */
export type Antelope = typeof import('@wharfkit/antelope')

const PACKAGES = ['@wharfkit/antelope', '@greymass/eosio']

/** The library that is installed. */
export const antelope: Antelope = load()

/** The copy of the project that runs the tests, else the one next to this package. */
function load(): Antelope {
  for (const place of [join(process.cwd(), 'package.json'), import.meta.url]) {
    const require = createRequire(place)
    for (const name of PACKAGES) {
      try {
        return require(name) as Antelope
      } catch (error) {
        if (!isMissing(error, name)) throw error
      }
    }
  }
  throw new Error(
    'pronghorn/vert needs the package @wharfkit/antelope: npm install --save-dev @wharfkit/antelope',
  )
}

function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: string; message: string }
  return code === 'MODULE_NOT_FOUND' && message.includes(name)
}
