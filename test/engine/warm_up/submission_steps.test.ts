import { expect } from 'chai'
import { submissionSteps } from '../../../src/engine/warm_up/submission_steps.ts'

describe('warming up submissions', () => {
  it('executes each transfer, in blocks of their own', () => {
    const now_us = Date.UTC(2026, 0, 1) * 1000
    const traces = [...submissionSteps({ now: () => now_us }, 2)].filter((t) => t !== undefined)
    const failed = traces.filter(({ except, receipt }) => except ?? receipt?.status !== 0)
    expect(failed).deep.equal([])
    // Two accounts and their contracts come first; every second transfer has a notification.
    const receivers = traces.slice(4).map(({ action_traces }) => action_traces.length)
    expect(receivers).deep.equal(Array.from({ length: 200 }, (_, i) => 1 + (i % 2)))
    expect(new Set(traces.map(({ block_num }) => block_num)).size).equal(2)
  })
})
