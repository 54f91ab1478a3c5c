import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect } from 'chai'
import { ROOT, sourceFiles } from './source_files.ts'

/**
 * The doors of the house: which rooms a room may import from. A room that is not named here may
 * import nothing, so a new room needs a decision. docs/architecture.md draws the same picture.
 */
const DOORS: Record<string, readonly string[]> = {
  'src/main.ts': ['src/options', 'src/server', 'src/engine/index.ts', 'src/node'],
  'src/options': [],
  'src/node': ['src/options', 'src/server', 'src/engine/index.ts'],
  'src/server': ['src/handlers', 'src/engine/index.ts', 'generated'],
  'src/handlers': ['src/engine/index.ts', 'generated'],
  'src/engine/index.ts': [
    'engine/engine_options.ts',
    'engine/queries',
    'engine/producer',
    'engine/chain',
    'engine/store',
    'below',
  ],
  'src/engine/engine_options.ts': ['engine/producer', 'engine/chain', 'below'],
  'src/engine/queries': ['engine/producer', 'engine/chain', 'below'],
  'src/engine/producer': ['engine/chain', 'engine/store', 'below'],
  'src/engine/chain': ['engine/store', 'below'],
  'src/engine/vm': ['below vm'],
  'src/engine/abi': ['below vm'],
  'src/engine/snapshot': ['engine/abi', 'below vm'],
  'src/engine/store': ['engine/state', 'engine/crypto', 'engine/protocol', 'engine/errors.ts'],
  'src/engine/state': ['engine/crypto', 'engine/protocol', 'engine/errors.ts'],
  'src/engine/crypto': ['engine/protocol', 'engine/errors.ts'],
  'src/engine/protocol': ['engine/errors.ts'],
  'src/engine/errors.ts': ['engine/error_log.ts', 'engine/error_table.ts'],
  'src/engine/error_log.ts': [],
  'src/engine/error_table.ts': [],
  generated: ['src/handlers', 'src/engine/index.ts'],
}
const BELOW_VM = ['engine/state', 'engine/crypto', 'engine/protocol', 'engine/errors.ts']
const BELOW = ['engine/vm', 'engine/abi', 'engine/snapshot', ...BELOW_VM]

const CRYPTO_PACKAGES = /^(node:crypto|crypto|secp256k1|@noble\/.*)$/
const HTTP_PACKAGES = /^(koa.*|openapi-backend|node:http|node:https|node:net)$/

function roomOf(path: string): string {
  const rooms = Object.keys(DOORS).filter((room) => path === room || path.startsWith(room + '/'))
  return rooms.sort((a, b) => b.length - a.length)[0] ?? path
}

function allowed(room: string): string[] {
  return (DOORS[room] ?? []).flatMap((door) => {
    if (door === 'below') return BELOW.map((name) => `src/${name}`)
    if (door === 'below vm') return BELOW_VM.map((name) => `src/${name}`)
    return [door.startsWith('engine/') ? `src/${door}` : door]
  })
}

function importsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)
}

describe('tidy: imports', () => {
  for (const path of sourceFiles(['src', 'generated'])) {
    const room = roomOf(path)
    it(`${path} opens only its own doors`, () => {
      for (const name of importsOf(path)) {
        if (!name.startsWith('.')) {
          if (CRYPTO_PACKAGES.test(name)) {
            expect(room, `${path} imports ${name}`).equal('src/engine/crypto')
          }
          if (HTTP_PACKAGES.test(name)) {
            expect(room, `${path} imports ${name}`).match(/^src\/(server|main|node)/)
          }
          continue
        }
        const target = relative(ROOT, resolve(ROOT, dirname(path), name))
        const targetRoom = roomOf(target)
        if (targetRoom === room) continue
        expect(allowed(room), `${path} -> ${target}`).include(targetRoom)
      }
    })
  }
})
