const MODULUS = 65521
/** Bytes of a run: its sums stay within the 16 bits of a lane. */
const RUN = 64
const WORDS = RUN / 4
/** The bytes at the even places of a word. */
const EVEN = 0xff00ff
const LANE = 0xffff

/**
 * Adler-32, the checksum of zlib streams: the sum `a` of all bytes, and the sum `b` of all sums. RFC 1950
 *
 * Within a run, two words hold the sums of the bytes at each of the four places of a word, in lanes of 16 bits, and two
 * more the sums of these sums. So four bytes cost little more than one, and little depends on what was just computed.
 * @param start of bytes before these; 1 if there are none
 */
export function adler32(start: number, bytes: Uint8Array): number {
  let a = start & 0xffff
  let b = start >>> 16
  // Words are read at multiples of four.
  const head = Math.min(-bytes.byteOffset & 3, bytes.length)
  let at = 0
  for (; at < head; at++) {
    a += bytes[at] as number
    b += a
  }
  const runs = Math.floor((bytes.length - head) / RUN)
  const place = runs > 0 ? bytes.byteOffset + head : 0
  const words = new Int32Array(bytes.buffer, place, runs * WORDS)
  a %= MODULUS
  b %= MODULUS
  for (let w = 0; w < words.length; w += WORDS) {
    let even = 0
    let odd = 0
    let evens = 0
    let odds = 0
    for (let i = w; i < w + WORDS; i += 4) {
      const w0 = words[i] as number
      const w1 = words[i + 1] as number
      const w2 = words[i + 2] as number
      const w3 = words[i + 3] as number
      even += w0 & EVEN
      odd += (w0 >>> 8) & EVEN
      evens = (evens + even) | 0
      odds = (odds + odd) | 0
      even += w1 & EVEN
      odd += (w1 >>> 8) & EVEN
      evens = (evens + even) | 0
      odds = (odds + odd) | 0
      even += w2 & EVEN
      odd += (w2 >>> 8) & EVEN
      evens = (evens + even) | 0
      odds = (odds + odd) | 0
      even += w3 & EVEN
      odd += (w3 >>> 8) & EVEN
      evens = (evens + even) | 0
      odds = (odds + odd) | 0
    }
    const first = even & LANE
    const second = odd & LANE
    const third = even >>> 16
    const fourth = odd >>> 16
    const sums = (evens & LANE) + (odds & LANE) + (evens >>> 16) + (odds >>> 16)
    // Sums of whole words count each byte as if it were the first of its word.
    b = (b + RUN * a + 4 * sums - second - 2 * third - 3 * fourth) % MODULUS
    a = (a + first + second + third + fourth) % MODULUS
  }
  for (at += RUN * runs; at < bytes.length; at++) {
    a += bytes[at] as number
    b += a
  }
  return (((b % MODULUS) << 16) | (a % MODULUS)) >>> 0
}
