import { ChainError, formatLog } from '../errors.ts'

const FORMAT = '${method} datastream of length ${len} over by ${over}'

/**
 * Refuses to go past the end of a buffer.
 * spring: libraries/libfc/src/io/datastream.cpp (throw_datastream_range_error)
 * @param method what was done: read, get, write, put
 * @param len bytes of the buffer
 * @param left bytes that were left in it
 */
export function refuseBeyondEnd(method: string, len: number, left: number): never {
  const data = { method, len, over: 1 - left }
  throw new ChainError('out_of_range_exception', formatLog(FORMAT, data)).withLog(FORMAT, data)
}
