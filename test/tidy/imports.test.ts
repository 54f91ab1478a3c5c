import { expect } from 'chai'
import { SERVICES } from '../../src/engine/services/list.ts'
import { circlesOf, importedFile, importGraph, importsOf } from './import_graph.ts'
import { sourceFiles } from './source_files.ts'

/**
 * The doors of the house: which rooms a room may import from. A room that is not named here may
 * import nothing, so a new room needs a decision. docs/architecture.md draws the same picture.
 */
const DOORS: Record<string, readonly string[]> = {
  'src/main.ts': [
    'src/options',
    'src/server',
    'src/engine/index.ts',
    'src/engine/options',
    'src/engine/start_thread.ts',
    'src/node',
    'src/project',
  ],
  'src/options': [
    'services/list.ts',
    'services/plugins.ts',
    'services/production',
    'engine/options',
    'engine/protocol',
    'engine/log.ts',
  ],
  'src/node': ['src/options', 'src/server', 'src/project', 'src/engine/index.ts', 'engine/options'],
  'src/testing': ['src/sending', 'src/project', 'src/engine/index.ts'],
  'src/project': ['src/sending', 'src/engine/index.ts', 'engine/options', 'src/project'],
  // Where contracts are found is for chains in process too.
  'src/project/contract_files.ts': ['src/engine/index.ts', 'engine/options'],
  'src/sending': ['src/engine/index.ts'],
  'src/server': [
    'src/handlers',
    'src/engine/index.ts',
    'src/engine/reading.ts',
    'src/engine/listening.ts',
    'src/engine/start_thread.ts',
    'generated',
  ],
  'src/net': [
    'engine/clock.ts',
    'engine/log.ts',
    'engine/crypto',
    'engine/protocol',
    'engine/errors.ts',
  ],
  'src/handlers': ['src/engine/index.ts', 'generated'],
  'src/in_process': ['src/engine/index.ts', 'src/server', 'src/project/contract_files.ts'],
  'src/vert': ['chain/execution', 'chain/rules', 'chain/headers', 'chain/base', 'below'],
  // The façade names what the engine offers; its own files make it.
  'src/engine/index.ts': [
    'engine/engine.ts',
    'engine/read_access.ts',
    'engine/api',
    'engine/contract.ts',
    'engine/engine_options.ts',
    'engine/services',
    'engine/clock.ts',
    'engine/queries',
    'engine/json',
    'engine/chain',
    'engine/store',
    'engine/options',
    'engine/listening.ts',
    'below',
  ],
  'src/engine/engine.ts': [
    'engine/chain_from_options.ts',
    'engine/read_access.ts',
    'engine/api',
    'engine/engine_options.ts',
    'engine/services',
    'engine/warm_up',
    'engine/chain',
    'engine/store',
    'below',
  ],
  'src/engine/warm_up': [
    'services/production',
    'engine/queries',
    'engine/clock.ts',
    'engine/chain',
    'below',
  ],
  'src/engine/read_access.ts': [
    'engine/api',
    'engine/reading.ts',
    'engine/services',
    'engine/queries',
  ],
  'src/engine/chain_from_options.ts': [
    'engine/engine_options.ts',
    'engine/progress.ts',
    'engine/chain',
    'engine/store',
    'below',
  ],
  'src/engine/reading.ts': ['services/production', 'engine/queries', 'engine/chain', 'below'],
  'src/engine/api': [
    'engine/contract.ts',
    'engine/engine_options.ts',
    'engine/services',
    'engine/queries',
    'engine/chain',
    'below',
  ],
  // Types alone.
  'src/engine/contract.ts': ['generated'],
  'src/engine/engine_options.ts': ['engine/services', 'engine/clock.ts', 'engine/chain', 'below'],
  'src/engine/progress.ts': ['engine/clock.ts', 'engine/chain', 'engine/store', 'below'],
  'src/engine/services': ['below services'],
  'src/engine/services/list.ts': ['engine/services', 'below services'],
  'src/engine/services/plugins.ts': ['services/list.ts', 'services/.'],
  ...doorsOfServices(),
  'src/engine/queries': ['engine/contract.ts', 'engine/json', 'engine/chain', 'below'],
  'src/engine/json': ['engine/chain', 'below'],
  'src/engine/clock.ts': ['engine/crypto'],
  'src/engine/listening.ts': ['engine/options'],
  'src/engine/options': ['engine/protocol', 'engine/errors.ts'],
  'src/engine/chain': ['engine/chain', 'engine/store', 'below'],
  'src/engine/chain/startup': ['chain/blocks', 'below blocks'],
  'src/engine/chain/sharing': ['chain/blocks', 'below blocks'],
  'src/engine/chain/blocks': ['below blocks'],
  'src/engine/chain/chain_options.ts': [
    'chain/chain_events.ts',
    'chain/execution',
    'chain/voting',
    'chain/rules',
    'engine/store',
    'below',
  ],
  'src/engine/chain/chain_events.ts': ['chain/execution', 'chain/headers', 'chain/base', 'below'],
  'src/engine/chain/execution': ['chain/headers', 'chain/rules', 'chain/base', 'below'],
  'src/engine/chain/voting': [
    'chain/forks',
    'chain/headers',
    'chain/rules',
    'chain/base',
    'engine/store',
    'below',
  ],
  'src/engine/chain/storage': [
    'chain/forks',
    'chain/headers',
    'chain/rules',
    'chain/base',
    'engine/store',
    'below',
  ],
  'src/engine/chain/forks': ['chain/headers', 'chain/rules', 'chain/base', 'below'],
  'src/engine/chain/headers': ['chain/rules', 'chain/base', 'below'],
  'src/engine/chain/rules': ['chain/base', 'below'],
  'src/engine/chain/base': ['below'],
  'src/engine/vm': [
    'engine/start_thread.ts',
    'engine/collect_garbage.ts',
    'engine/log.ts',
    'below vm',
  ],
  'src/engine/abi': ['below vm'],
  'src/engine/snapshot': ['engine/abi', 'below vm'],
  'src/engine/store': [
    'engine/state',
    'engine/crypto',
    'engine/protocol',
    'engine/errors.ts',
    'engine/native_package.ts',
    'engine/start_thread.ts',
  ],
  'src/engine/state': ['engine/crypto', 'engine/protocol', 'engine/errors.ts'],
  'src/engine/crypto': [
    'engine/hash',
    'engine/protocol',
    'engine/errors.ts',
    'engine/native_package.ts',
    'engine/start_thread.ts',
    'engine/collect_garbage.ts',
  ],
  'src/engine/protocol': ['engine/hash', 'engine/errors.ts'],
  'src/engine/hash': [],
  'src/engine/log.ts': [],
  'src/engine/start_thread.ts': ['engine/thread_source.ts'],
  'src/engine/thread_source.ts': [],
  'src/engine/collect_garbage.ts': [],
  'src/engine/errors.ts': ['engine/error_log.ts', 'engine/error_table.ts'],
  'src/engine/native_package.ts': [],
  'src/engine/error_log.ts': [],
  'src/engine/error_table.ts': [],
  generated: ['src/handlers', 'src/engine/index.ts'],
}
const BELOW_VM = ['engine/state', 'engine/crypto', 'engine/protocol', 'engine/errors.ts']
const BELOW = ['engine/vm', 'engine/abi', 'engine/snapshot', 'engine/log.ts', ...BELOW_VM]
/** What services are built on. */
const BELOW_SERVICES = [
  'engine/contract.ts',
  'engine/queries',
  'engine/json',
  'engine/options',
  'engine/clock.ts',
  'engine/listening.ts',
  'engine/chain',
  'engine/store',
  ...BELOW,
]
/** What blocks and the start of a chain are built on. */
const BELOW_BLOCKS = [
  'chain/chain_options.ts',
  'chain/chain_events.ts',
  'chain/execution',
  'chain/voting',
  'chain/storage',
  'chain/forks',
  'chain/headers',
  'chain/rules',
  'chain/base',
  'engine/store',
  ...BELOW,
]

const CRYPTO_PACKAGES = /^(node:crypto|crypto|secp256k1|mcl-wasm|@noble\/.*)$/
const HTTP_PACKAGES = /^(koa.*|ws|openapi-backend|node:http|node:https)$/
const SOCKETS = /^(node:)?(net|tls|dgram)$/
/** The HTTP server, and services that listen on addresses of their own. */
const SERVERS = /^src\/(server|main|node|engine\/(listening\.ts|services\/state_history))/

/** Each service is a room. It may use what all services share, and the services that it names. */
function doorsOfServices(): Record<string, readonly string[]> {
  return Object.fromEntries(
    SERVICES.map(({ name, needs }) => [
      `src/engine/services/${name}`,
      [
        'services/.',
        ...needs.map((other) => `services/${other.name}`),
        ...(name === 'net' ? ['src/net'] : []),
        'below services',
      ],
    ]),
  )
}

function roomOf(path: string): string {
  const rooms = Object.keys(DOORS).filter((room) => path === room || path.startsWith(room + '/'))
  return rooms.sort((a, b) => b.length - a.length)[0] ?? path
}

/** Short names of several rooms. */
const GROUPS: Record<string, readonly string[]> = {
  below: BELOW,
  'below vm': BELOW_VM,
  'below blocks': BELOW_BLOCKS,
  'below services': BELOW_SERVICES,
}

/** Whether a room may import from another one. A door to a room opens the rooms in it too; one that ends with
 *  /. does not. */
function mayImport(room: string, target: string): boolean {
  const doors = (DOORS[room] ?? []).flatMap((door) => GROUPS[door] ?? [door]).map(pathOf)
  return (
    room === target ||
    doors.some((door) => `${target}/.` === door || `${target}/`.startsWith(`${door}/`))
  )
}

function pathOf(door: string): string {
  if (/^(chain|services)\//.test(door)) return `src/engine/${door}`
  return door.startsWith('engine/') ? `src/${door}` : door
}

describe('tidy: imports', () => {
  const paths = sourceFiles(['src', 'generated'])
  const imports = paths.flatMap((path) => importsOf(path).map((name) => ({ path, name })))

  it('each file imports only from the folders that its folder may import from', () => {
    const offenders = imports.flatMap(({ path, name }) => {
      if (!name.startsWith('.')) return []
      const target = importedFile(path, name)
      const room = roomOf(path)
      const targetRoom = roomOf(target)
      if (mayImport(room, targetRoom)) return []
      return [`${path} -> ${target}`]
    })
    expect(imports).not.empty
    expect(offenders).deep.equal([])
  })

  it('no files import each other in a circle, types included', () => {
    const graph = importGraph(sourceFiles(['src', 'generated', 'test', 'bench']))
    expect(circlesOf(graph)).deep.equal([])
  })

  it('a circle is found, however long it is', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['d', 'b']],
      ['d', ['e']],
      ['e', []],
      ['f', ['f', 'a']],
    ])
    expect(circlesOf(graph)).deep.equal([['b', 'c'], ['f']])
    const longer = new Map([...graph, ['e', ['f']]])
    expect(circlesOf(longer)).deep.equal([['a', 'b', 'c', 'd', 'e', 'f']])
  })

  it('only the crypto and hash folders import cryptography', () => {
    expect(importsBeyond(CRYPTO_PACKAGES, /^src\/engine\/(crypto|hash)$/)).deep.equal([])
  })

  it('only servers import HTTP packages, and only they and the network import sockets', () => {
    expect(importsBeyond(HTTP_PACKAGES, SERVERS)).deep.equal([])
    expect(importsBeyond(SOCKETS, new RegExp(`${SERVERS.source}|^src/net`))).deep.equal([])
  })

  /** The imports of `packages` in rooms other than `rooms`. */
  function importsBeyond(packages: RegExp, rooms: RegExp): string[] {
    return imports
      .filter(({ path, name }) => packages.test(name) && !rooms.test(roomOf(path)))
      .map(({ path, name }) => `${path} -> ${name}`)
  }
})
