import { expect } from 'chai'
import {
  defaultRules,
  type MutableRules,
} from '../../../src/engine/chain/execution/subjective_rules.ts'
import { ChainEvents } from '../../../src/engine/chain/chain_events.ts'
import type { Chain } from '../../../src/engine/chain/chain.ts'
import { ServiceHost } from '../../../src/engine/services/host.ts'
import { counter } from '../../../src/engine/services/metric.ts'
import { defineService, type AnyService } from '../../../src/engine/services/service.ts'
import { FakeClock } from './support/fake_clock.ts'

describe('services', () => {
  let calls: string[]
  beforeEach(() => (calls = []))

  const DEPS = {
    events: new ChainEvents(() => {}),
    clock: new FakeClock(0),
    log: () => {},
    in_memory: true,
  }
  const OPEN = {
    chain: {} as Chain,
    rules: defaultRules() as MutableRules,
    version: '1.2.3',
  }

  /** A service that notes what it is told. */
  const noting = <const Name extends string>(name: Name) =>
    defineService({
      name,
      plugins: [],
      options: [],
      settings: (): { of: string } => ({ of: name }),
      operations: [],
      needs: [],
      open: async ({ settings }) => {
        calls.push(`open ${settings.of}`)
        return {
          name: name as string,
          start: () => void calls.push(`start ${name}`),
          endWaits: () => void calls.push(`endWaits ${name}`),
          stop: () => void calls.push(`stop ${name}`),
          stopped: () => void calls.push(`stopped ${name}`),
          metrics: () => [counter(`${name}_total`, 'help', 1)],
        }
      },
    })

  it('are opened and started in the order of the list, and stopped in the reverse order', async () => {
    const list = [noting('a'), noting('b')] as const
    const host = await ServiceHost.create(list, { a: { of: 'a' }, b: { of: 'b' } }, DEPS)
    await host.open(OPEN)
    host.start()
    await host.endWaits()
    await host.stop()
    expect(calls).deep.equal([
      ...['open a', 'open b', 'start a', 'start b', 'endWaits b', 'endWaits a'],
      ...['stop b', 'stop a', 'stopped b', 'stopped a'],
    ])
  })

  it('get the services that they name and no others; one that is off is undefined', async () => {
    const a = noting('a')
    const off = defineService({ ...noting('off'), open: async () => undefined })
    let found: unknown
    const b = defineService({
      name: 'b',
      plugins: [],
      options: [],
      settings: () => undefined,
      operations: [],
      needs: [a, off],
      open: async ({ services }) => {
        found = { ...services, a: services.a.name }
        return {}
      },
    })
    const list = [a, off, noting('other'), b] as const
    const settings = { a: { of: 'a' }, off: { of: '' }, other: { of: 'other' }, b: undefined }
    const host = await ServiceHost.create(list, settings, DEPS)
    await host.open(OPEN)
    expect(found).deep.equal({ a: 'a', off: undefined })
    expect(Object.keys(host.running)).deep.equal(['a', 'other', 'b'])
  })

  it('are stopped again when one of them cannot be opened', async () => {
    const failing: AnyService = {
      ...noting('failing'),
      open: async () => {
        throw new Error('no such file')
      },
    }
    const list = [noting('a'), failing, noting('b')]
    const host = await ServiceHost.create(list, { a: { of: 'a' }, b: { of: 'b' } }, DEPS)
    const error = await host.open(OPEN).catch((failure: unknown) => failure)
    expect(error).instanceOf(Error).property('message', 'no such file')
    expect(calls).deep.equal(['open a', 'stop a', 'stopped a'])
  })

  it('follow the chain from before it is opened, where they ask for it', async () => {
    const events = new ChainEvents(() => {})
    const following = defineService({
      name: 'following',
      plugins: [],
      options: [],
      settings: () => undefined,
      operations: [],
      needs: [],
      early: async (context) => {
        const started: number[] = []
        context.events.on('blockStarted', ({ block_num }) => void started.push(block_num))
        return started
      },
      open: async ({ early }) => ({ started: early }),
    })
    const host = await ServiceHost.create(
      [following],
      { following: undefined },
      { ...DEPS, events },
    )
    const block = {
      slot: 1,
      producer: 1n,
      status: 'complete',
      producer_block_id: undefined,
    } as const
    events.emit('blockStarted', { ...block, block_num: 7 })
    await host.open(OPEN)
    expect(host.running.following.started).deep.equal([7])
  })

  it('give their metrics, and those of other parts are added', async () => {
    const list = [noting('a'), noting('b')] as const
    const host = await ServiceHost.create(list, { a: { of: 'a' }, b: { of: 'b' } }, DEPS)
    await host.open(OPEN)
    host.addMetrics(() => [counter('other_total', 'help', 2)])
    expect(host.metrics().map(({ name }) => name)).deep.equal(['a_total', 'b_total', 'other_total'])
  })
})
