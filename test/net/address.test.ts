import { expect } from 'chai'
import { ChainError } from '../../src/engine/errors.ts'
import { parseListenAddress, splitAddress } from '../../src/net/address.ts'

function refusal(text: string): string | undefined {
  try {
    parseListenAddress(text)
    return undefined
  } catch (error) {
    if (error instanceof ChainError) return error.message
    throw error
  }
}

describe('addresses of peers', () => {
  it('addresses of listeners have a type and a rate, as in the reference', () => {
    const read = (text: string) => {
      const { host, port, type, rate_limit } = parseListenAddress(text)
      return [host, port, type, rate_limit]
    }
    expect(read('0.0.0.0:9876')).deep.equal(['0.0.0.0', '9876', '', 0])
    expect(read('0.0.0.0:9776:0')).deep.equal(['0.0.0.0', '9776', '', 0])
    expect(read('0.0.0.0:9877:640KB/s')).deep.equal(['0.0.0.0', '9877', '', 640_000])
    expect(read('192.168.0.1:9878:20MiB/s')).deep.equal(['192.168.0.1', '9878', '', 20_971_520])
    expect(read('localhost:9879:0.5KB/s')).deep.equal(['localhost', '9879', '', 500])
    expect(read('node.eos.io:9877:trx:1512KB/s')).deep.equal(['node.eos.io', '9877', 'trx', 1512e3])
    expect(read('a:1:blk')).deep.equal(['a', '1', 'blk', 0])
    expect(read('[::1]:9876:250KB/s')).deep.equal(['::1', '9876', '', 250_000])
    expect(read('a:1:1000')).deep.equal(['a', '1', '', 1000])
    expect(read('a:1:1e3KB/s')).deep.equal(['a', '1', '', 1_000_000])
    expect(read('a:1:1.5E-1 MB/s')).deep.equal(['a', '1', '', 150_000])
    expect(read('a:1:foo')).deep.equal(['a', '1', '', 0])
  })

  it('the rate of a listener is what follows the last colon, the type what follows the port', () => {
    const read = (text: string) => {
      const { port, type, rate_limit } = parseListenAddress(text)
      return [port, type, rate_limit]
    }
    expect(read('0.0.0.0:9776:blk:0')).deep.equal(['9776', 'blk', 0])
    expect(read('[::1]:9876:trx:250KB/s')).deep.equal(['9876', 'trx', 250_000])
    expect(read('[::1]:9876:trx:1KB/s:2KB/s')).deep.equal(['9876', 'trx', 2000])
    // Where the type is, nothing else is looked for.
    expect(read('a:1:1MB/s:trx')).deep.equal(['1', '', 0])
    expect(read('a:1:trx1MB/s')).deep.equal(['1', 'trx', 0])
    expect(read('[::1]:1:trx:1KB/s:blk')).deep.equal(['1', 'trx', 0])
  })

  it('a rate is read as far as it is one, as in the reference', () => {
    const rate = (text: string) => parseListenAddress(`a:1:${text}`).rate_limit
    expect(rate('trx:640KB/s - additional info')).equal(640_000)
    expect(rate(' 20 KB/s')).equal(20_000)
    expect(rate('.5KB/s')).equal(500)
    expect(rate('5.KB/s')).equal(5000)
    expect(rate('250B/s')).equal(250)
    for (const none of ['0x10KB/s', 'infKB/s', '1E', '20EB/s', '20eKB/s', ',1KB/s', '1e400KB/s']) {
      expect(rate(none), none).equal(0)
    }
    for (const [text, unit] of [
      ['640Kb/s', 'Kb/s'],
      ['5iB/s', 'iB/s'],
      ['20KB/s/s', 'KB/s/s'],
      ['2 0KB/s', '0KB/s'],
    ] as const) {
      expect(refusal(`a:1:${text}`)).equal(`invalid block sync rate limit specification: ${unit}`)
    }
    expect(refusal('[::1]:9876:trx:-1KB/s')).equal(
      'block sync rate limit must not be negative: -1KB/s',
    )
  })

  it('what is not an address of a listener is refused with the reason', () => {
    expect(refusal('')).match(/is empty/)
    expect(refusal('a')).match(/unexpected number of colons/)
    expect(refusal('a:b:c:d:e')).match(/unexpected number of colons/)
    expect(refusal('2001:db8:85a3:8d3:1319:8a2e:370:7348')).match(/square brackets/)
    expect(refusal('[::1')).match(/no closing square bracket/)
    expect(refusal('[::1]')).match(/missing port/)
    expect(refusal('[::1]x:1')).match(/unexpected character after/)
    expect(refusal(':1')).match(/missing port/)
    expect(refusal('a:x')).match(/host or port missing/)
    expect(refusal('a:1:-5KB/s')).match(/must not be negative/)
    expect(refusal('a:1:-5e1')).match(/must not be negative/)
    expect(refusal('a:1:1.5.5KB/s')).match(/invalid block sync rate limit/)
    expect(refusal('a:1:1e300')).match(/overflowed/)
    expect(refusal('a:1:999999999999999999999999999TiB/s')).match(/overflowed/)
    expect(refusal('a:1:5KiloB/s')).match(/invalid block sync rate limit/)
    expect(refusal('a:1:999999999TiB/s')).match(/overflowed/)
    expect(refusal('a'.repeat(300) + ':1')).match(/max p2p address length/)
  })

  it('the address in a handshake is read up to the name of the node', () => {
    expect(splitAddress('there:9876 - 7777777')).deep.equal({
      host: 'there',
      port: '9876',
      type: '',
    })
    expect(splitAddress('there:9876:trx - 7777777')).deep.equal({
      host: 'there',
      port: '9876',
      type: 'trx',
    })
    expect(splitAddress('nonsense')).equal(undefined)
    expect(splitAddress('there:65535')).not.equal(undefined)
    expect(splitAddress('there:65536')).equal(undefined)
    expect(splitAddress('there:98x6:trx')).equal(undefined)
    expect(splitAddress('there:1e3:trx')).equal(undefined)
    expect(splitAddress('0.0.0.0:9877:trx:640KB/s - additional info')?.type).equal('trx')
    expect(splitAddress('[::1]additional info:trx:640KB/s')).equal(undefined)
    expect(splitAddress('0.0.0.0::')).equal(undefined)
    expect(splitAddress(': - 7777777')).equal(undefined)
  })
})
