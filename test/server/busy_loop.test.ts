import { expect } from 'chai'
import { BusyLoop } from '../../src/server/threads/busy_loop.ts'
import { KeptClient } from '../support/kept_client.ts'
import { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'

describe('server: a busy thread of the chain', () => {
  it('is one with little idle time in a second or more', () => {
    const times = { active: 500, idle: 0, turns: 0 }
    const loop = new BusyLoop(0, () => ({ ...times }))
    const after = (active: number, idle: number): boolean => {
      times.active += active
      times.idle += idle
      return loop.wasBusy()
    }
    expect(after(900, 0)).equal(false)
    expect(after(100, 0)).equal(true)
    expect(after(999, 0)).equal(false)
    expect(after(0, 300)).equal(false)
    expect(after(810, 190)).equal(true)
    expect(after(790, 210)).equal(false)
  })

  it('is not one with short turns where only long ones count', () => {
    const times = { active: 0, idle: 0, turns: 0 }
    const loop = new BusyLoop(5, () => ({ ...times }))
    const after = (active: number, turns: number): boolean => {
      times.active += active
      times.turns += turns
      return loop.wasBusy()
    }
    expect(after(1000, 1000)).equal(false)
    expect(after(1000, 201)).equal(false)
    expect(after(1000, 200)).equal(true)
    expect(after(4000, 1)).equal(true)
  })

  it('gets HTTP threads when clients connect, so that they need not wait for it', async () => {
    const node = await TestNode.start({
      argv: ['--http-threads=1'],
      server: { validate_responses: false },
    })
    try {
      await until('the threads', async () => {
        const client = new KeptClient(node.url)
        await client.post('get_info', {})
        client.socket.destroy()
        const end = performance.now() + 1100
        while (!node.server.threads.areRunning && performance.now() < end);
        return node.server.threads.areRunning
      })
    } finally {
      await node.stop()
    }
  })
})
