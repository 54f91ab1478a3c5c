import { expect } from 'chai'
import { ACCEPTED, judge } from './accepted.ts'
import { compareRecordings, readRecording } from './compare.ts'

const RECORDED = new URL('../fixtures/recordings/one/live.jsonl.gz', import.meta.url)

describe("the driver's comparison", () => {
  const reference = readRecording(RECORDED)

  it('knows every recorded exchange by a name of its own', () => {
    expect(reference.size).to.equal(748)
  })

  it('accepts nothing that no recorded exchange shows', () => {
    const names = [...reference.keys()]
    for (const { exchange } of ACCEPTED) {
      expect(
        names.some((name) => exchange.test(name)),
        String(exchange),
      ).to.equal(true)
    }
  })

  it('finds a recording equal to itself', () => {
    expect(compareRecordings(reference, readRecording(RECORDED))).to.deep.equal([])
  })

  it('distinguishes changed answers, missing answers, and values that differ in every run', () => {
    const ours = readRecording(RECORDED)
    const [first, changed, timed] = [...ours.keys()].filter((name) => name.includes('|random#'))
    ours.delete(first!)
    change(ours, changed!, '"net_usage":', '"net_usage":1')
    change(ours, timed!, '"elapsed":', '"elapsed":1')
    const differences = compareRecordings(reference, ours)
    const found = differences.map(({ exchange, missing }) => [exchange, missing])
    expect(found).to.deep.equal([
      [first, true],
      [changed, false],
    ])
    const { faults } = judge(differences)
    expect(faults).to.have.length(2)
    expect(faults[1]).to.match(/\n {4}body\.processed\.net_usage: (\d+) is here 1\1$/)
  })

  it('accepts of an exchange only the fields that may differ', () => {
    const ours = readRecording(RECORDED)
    const name = [...ours.keys()].find((exchange) => exchange.includes('|send_deferred#'))!
    change(ours, name, '"hex_data":"5b10', '"hex_data":"5b11')
    expect(judge(compareRecordings(reference, ours)).faults).to.deep.equal([])
    change(ours, name, '"cpu_usage_us":', '"net_usage_words":3,"cpu_usage_us":')
    change(ours, name, '"scheduled":false', '"scheduled":true')
    const { faults } = judge(compareRecordings(reference, ours))
    expect(faults.join()).to.include('body.processed.scheduled: false is here true')
  })
})

function change(
  ours: ReturnType<typeof readRecording>,
  name: string,
  from: string,
  to: string,
): void {
  const line = ours.get(name)!
  expect(line.response).to.include(from)
  ours.set(name, { ...line, response: line.response.replace(from, to) })
}
