/** The list of services, against the folders and the contract. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { routes } from '../../generated/routes.ts'
import { SERVICES } from '../../src/engine/services/list.ts'
import { API_CATEGORIES, PLUGINS } from '../../src/engine/services/plugins.ts'
import { OPTIONS } from '../../src/options/table.ts'
import { REFUSED, REFUSED_PLUGINS } from '../../src/options/refused.ts'
import { ROOT } from './source_files.ts'

/** Categories whose operations the chain answers, where no service does. */
const OF_THE_CHAIN = ['node', 'chain_info', 'chain_ro']

describe('tidy: services', () => {
  it('each folder is in the list, under its name', () => {
    const folders = readdirSync(join(ROOT, 'src/engine/services'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    expect(SERVICES.map(({ name }) => name)).have.members(folders)
  })

  it('each comes after those that it needs', () => {
    const names = SERVICES.map(({ name }) => name as string)
    const early = SERVICES.flatMap(({ name, needs }) =>
      needs.filter((other) => names.indexOf(other.name) >= names.indexOf(name)),
    )
    expect(early).deep.equal([])
  })

  it('each operation of the contract belongs to one service or to the chain', () => {
    const operations = Object.values(routes).map(({ operationId }) => operationId as string)
    const claimed = SERVICES.flatMap((service) => service.operations as readonly string[])
    expect(new Set(claimed).size).equal(claimed.length)
    const unknown = claimed.filter((name) => !operations.includes(name))
    expect(unknown, 'not in the contract').deep.equal([])
    const unclaimed = Object.values(routes)
      .filter(({ operationId }) => !claimed.includes(operationId))
      .filter(({ category }) => !OF_THE_CHAIN.includes(category))
      .map(({ operationId }) => operationId)
    expect(unclaimed, 'in `operations` of no service').deep.equal([])
  })

  it('each category of the contract belongs to one plugin', () => {
    const names = API_CATEGORIES.map(({ name }) => name)
    expect(new Set(names).size).equal(names.length)
    expect(names).include.members(Object.values(routes).map(({ category }) => category))
  })

  it('no option and no plugin is offered twice, or offered and refused', () => {
    const options = OPTIONS.map(({ name }) => name)
    expect(new Set(options).size).equal(options.length)
    expect(options.filter((name) => REFUSED.has(name))).deep.equal([])
    expect([...PLUGINS.keys()].filter((name) => REFUSED_PLUGINS.has(name))).deep.equal([])
    const needed = [...PLUGINS.values()].flatMap(({ needs }) => needs)
    expect(needed.filter((name) => !PLUGINS.has(name))).deep.equal([])
  })
})
