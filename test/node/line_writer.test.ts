import { expect } from 'chai'
import { lineWriter } from '../../src/node/line_writer.ts'

/** A reader that takes so many bytes each time; a code: it fails with that. */
class Reader {
  text = ''
  tries = 0
  time_ms = 0
  takes: number | string = Infinity

  readonly write = (bytes: Uint8Array): number => {
    this.tries++
    this.time_ms += 10
    if (typeof this.takes === 'string') {
      throw Object.assign(new Error(this.takes), { code: this.takes, syscall: 'write' })
    }
    const taken = Math.min(this.takes, bytes.length)
    this.text += Buffer.from(bytes.subarray(0, taken)).toString()
    return taken
  }

  readonly line = lineWriter(this.write, () => this.time_ms)
}

describe('the writer of lines', () => {
  it('writes whole lines, however little is taken at a time', () => {
    const reader = new Reader()
    reader.takes = 3
    reader.line('one line\n')
    reader.line('é\n')
    expect(reader.text).equal('one line\né\n')
  })

  it('waits a while for a slow reader, and not again until it takes something', () => {
    const reader = new Reader()
    reader.takes = 'EAGAIN'
    reader.line('lost\n')
    expect(reader.tries).equal(10)
    reader.line('lost\n')
    expect(reader.tries).equal(11)
    reader.takes = Infinity
    reader.line('back\n')
    expect(reader.text).equal('back\n')
    reader.takes = 'EAGAIN'
    reader.line('lost\n')
    expect(reader.tries).equal(22)
  })

  it('drops lines when the reader does not accept them', () => {
    for (const code of ['EPIPE', 'EIO', 'ENOSPC', 'EBADF']) {
      const reader = new Reader()
      reader.takes = code
      reader.line('lost\n')
      expect(reader.tries, code).equal(1)
    }
  })

  it('hides no fault of its own', () => {
    const line = lineWriter(() => {
      throw new TypeError('a fault')
    })
    expect(() => line('x')).throw(TypeError, 'a fault')
  })
})
