/** Requests that are wrong, too large, or ask for as much as there is. */
import { request } from 'node:http'
import { routes } from '../../../generated/routes.ts'
import type { Random } from '../../fuzz/random.ts'
import { ask, type AskOptions } from '../../support/http.ts'
import { many, type Attack, type Tally, type Target } from '../attack.ts'

/** An operator's own operations are on no address that others reach. */
const PATHS = Object.keys(routes).filter((path) => path.startsWith('/v1/chain/'))
const AT_ONCE = 8
/** Bytes; the default limit of a body is 2 MiB. */
const TOO_LARGE = 4 * 1024 * 1024

/** Counts the status of the answer, or why there is none. */
async function tried(
  target: Target,
  tally: Tally,
  path: string,
  options: AskOptions,
): Promise<void> {
  try {
    tally.count((await ask(target.url, path, options)).status)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    tally.count(code ?? message)
    if (code === 'ECONNREFUSED') throw error
  }
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

function wrongBody(random: Random): string {
  const word = () => Buffer.from(random.bytes(1 + random.below(12))).toString('latin1')
  return random.pick([
    () => word(),
    () => `{"account_name":"${word()}"`,
    () => nested(100_000),
    () => '{"a":'.repeat(5000),
    () => JSON.stringify({ code: word(), scope: word(), table: word(), limit: random.u32() }),
    () => JSON.stringify({ account_name: 'x'.repeat(100_000) }),
    () => JSON.stringify({ block_num_or_id: word() }),
    () => JSON.stringify({ packed_trx: 'zz'.repeat(random.below(50_000)), signatures: [word()] }),
    () => `[${'1,'.repeat(200_000)}1]`,
    () => `{"lower_bound":${'9'.repeat(100_000)}}`,
  ])()
}

const wrongBodies: Attack = {
  name: 'wrong bodies',
  round: many(AT_ONCE, (target, tally, random) =>
    tried(target, tally, random.pick(PATHS), { body: wrongBody(random) }),
  ),
}

const wrongRequests: Attack = {
  name: 'wrong paths, hosts, methods and headers',
  round: many(AT_ONCE, (target, tally, random) =>
    tried(
      target,
      tally,
      random.pick([
        '/',
        '/v1/chain/nothing',
        '/../../etc/passwd',
        `/${'x'.repeat(8000)}`,
        ...PATHS,
      ]),
      {
        method: random.pick(['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']),
        headers: random.pick<Record<string, string>>([
          { host: 'evil.example' },
          { 'content-encoding': 'gzip' },
          { 'x-large': 'x'.repeat(20_000) },
          { 'content-type': 'application/xml' },
        ]),
        body: '{}',
      },
    ),
  ),
}

/** A body beyond the limit, of which the length is told or not; sent as far as it is taken. */
function sendLarge(target: Target, tally: Tally, told: boolean): Promise<void> {
  const headers = told
    ? { 'content-length': String(TOO_LARGE) }
    : { 'transfer-encoding': 'chunked' }
  return new Promise((resolve) => {
    const { host, port } = target
    const sent = request({
      host,
      port,
      path: '/v1/chain/push_transaction',
      method: 'POST',
      headers,
      agent: false,
    })
    let is_done = false
    const done = (kind: string | number) => {
      if (is_done) return
      is_done = true
      tally.count(kind)
      sent.destroy()
      resolve()
    }
    sent.once('response', (response) => {
      response.resume()
      done(response.statusCode ?? 0)
    })
    sent.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    sent.once('close', () => done('closed'))
    sent.end(Buffer.alloc(TOO_LARGE, ' '))
  })
}

const largeBodies: Attack = {
  name: 'oversized bodies',
  round: (target, tally, random) => sendLarge(target, tally, random.once(2)),
}

/** Reads of whole tables, large codes and large blocks. */
const largeReads: Attack = {
  name: 'large reads',
  round: many(AT_ONCE, (target, tally, random) => {
    const rows = { code: 'probe', scope: 'soak', table: 'points', limit: 100_000, json: true }
    const [operation, body] = random.pick<[string, object]>([
      ['get_table_rows', { ...rows, reverse: random.once(2) }],
      ['get_table_rows', { ...rows, json: false, time_limit_ms: 1_000_000 }],
      ['get_table_by_scope', { code: 'probe', limit: 100_000 }],
      ['get_raw_code_and_abi', { account_name: 'probe' }],
      ['get_code', { account_name: 'probe', code_as_wasm: true }],
      ['get_block', { block_num_or_id: 2 + random.below(20) }],
      ['get_accounts_by_authorizers', { accounts: ['eosio', 'probe'], keys: [] }],
      ['get_scheduled_transactions', { limit: 100_000 }],
    ])
    return tried(target, tally, `/v1/chain/${operation}`, { body })
  }),
}

export const REQUEST_ATTACKS: readonly Attack[] = [
  wrongBodies,
  wrongRequests,
  largeBodies,
  largeReads,
]
