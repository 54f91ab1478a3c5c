import { expect } from 'chai'
import { Logger, log } from '../../src/vert/index.ts'

describe('vert: the logger', () => {
  const { debug, warn, error } = console
  const lines: unknown[][] = []
  beforeEach(() => {
    lines.length = 0
    console.debug = (...parts: unknown[]) => void lines.push(['debug', ...parts])
    console.warn = (...parts: unknown[]) => void lines.push(['warn', ...parts])
    console.error = (...parts: unknown[]) => void lines.push(['error', ...parts])
  })
  afterEach(() => Object.assign(console, { debug, warn, error }))

  it('writes lines from its level on', () => {
    const logger = new Logger('warn')
    logger.debug('a')
    logger.warn('b', 1)
    logger.setLevel('DEBUG')
    logger.log('c')
    logger.setLevel(4)
    logger.warn('d')
    logger.error('e')
    logger.resetLevel()
    logger.warn('f')
    logger.disableAll()
    logger.error('g')
    logger.enableAll()
    logger.debug('h')
    expect(lines).deep.equal([
      ...[
        ['warn', 'b', 1],
        ['debug', 'c'],
        ['error', 'e'],
      ],
      ...[
        ['warn', 'f'],
        ['debug', 'h'],
      ],
    ])
  })

  it('refuses levels that do not exist', () => {
    for (const level of ['loud', '', -1, 6, NaN]) {
      expect(() => new Logger('warn').setLevel(level)).throw(TypeError, 'there is no level')
    }
  })

  it('is there as `log`, which specs call', () => {
    const level = log.getLevel()
    log.setLevel('debug')
    expect(log.getLevel()).equal(log.levels.DEBUG)
    log.setLevel(level)
  })
})
