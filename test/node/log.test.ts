import { expect } from 'chai'
import type { LogLevel } from '../../src/engine/log.ts'
import { createLog, type LogFormat } from '../../src/node/log.ts'

const NOW = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678))

function logged(format: LogFormat, least: LogLevel = 'info', colors = false) {
  const lines: string[] = []
  const log = createLog(
    least,
    { format, colors },
    (line) => lines.push(line),
    () => NOW,
  )
  return { lines, log }
}

describe('the log', () => {
  it('is lines with time, level and text', () => {
    const { lines, log } = logged('text')
    log('warn', 'the disk is full', { free: 0 })
    log('error', 'no')
    expect(lines).deep.equal([
      '2026-01-02T03:04:05.678Z warn  the disk is full\n',
      '2026-01-02T03:04:05.678Z error no\n',
    ])
  })

  it('has warnings and errors in red on a terminal, all lines of them', () => {
    const { lines, log } = logged('text', 'info', true)
    log('info', 'a block')
    log('warn', 'the disk\nis full')
    expect(lines).deep.equal([
      '2026-01-02T03:04:05.678Z info  a block\n',
      '\u001b[31m2026-01-02T03:04:05.678Z warn  the disk\n    is full\u001b[39m\n',
    ])
    const json = logged('json', 'info', true)
    json.log('warn', 'the disk is full')
    expect(json.lines[0]).not.include('\u001b')
  })

  it('is one object a line for machines, with fields', () => {
    const { lines, log } = logged('json')
    log('info', 'line 1\nline "2"', { block_num: 7, time: 'not this one' })
    expect(lines.length).equal(1)
    expect(lines[0]).match(/^[^\n]*\n$/)
    expect(JSON.parse(lines[0]!)).deep.equal({
      time: NOW.toISOString(),
      level: 'info',
      message: 'line 1\nline "2"',
      block_num: 7,
    })
  })

  it('omits lines below the log level', () => {
    const all: LogLevel[] = ['error', 'warn', 'info', 'debug']
    all.forEach((least, index) => {
      const { lines, log } = logged('text', least)
      for (const level of all) log(level, level)
      expect(lines.length).equal(index + 1)
    })
  })

  it('never has a private key', () => {
    for (const key of [
      '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3',
      'PVT_K1_2bfGi9rYsXQSXXTvJbDAPhHLQUojjaNLomdm3cEJ1XTzMqUt3V',
      'PVT_BLS_QgHHJ5vprZcjG7P0xWoIdX4yKPQXoG4k3e28TpLIQicB7GL_',
    ]) {
      for (const format of ['text', 'json'] as const) {
        const { lines, log } = logged(format)
        log('error', `what is "${key}"?`)
        expect(lines[0]).include('(private key)').and.not.include(key.slice(9))
      }
    }
    const { lines, log } = logged('text')
    const harmless = `5${'a'.repeat(63)} PUB_K1_5${'a'.repeat(49)} EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV`
    log('info', harmless)
    expect(lines[0]).include(harmless)
  })

  it('no message can imitate a log line or control a terminal', () => {
    const { lines, log } = logged('text')
    log('info', 'a\n2026-01-02T03:04:05.678Z error forged\u001b[2Jb\rc\td')
    expect(lines).deep.equal([
      '2026-01-02T03:04:05.678Z info  a\n' +
        '    2026-01-02T03:04:05.678Z error forged\\x1b[2Jb\\x0dc\td\n',
    ])
  })
})
