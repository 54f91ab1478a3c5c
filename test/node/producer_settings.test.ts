import { expect } from 'chai'
import { nameFromString } from '../../src/engine/index.ts'
import {
  DEVELOPMENT_BLS_PRIVATE_KEY,
  DEVELOPMENT_BLS_PUBLIC_KEY,
} from '../../src/node/development.ts'
import { nodeSettings } from '../../src/node/engine_settings.ts'
import { OptionError, parseOptions } from '../../src/options/parse.ts'

const GIB = 2 ** 30
const BLS_PROVIDER = `${DEVELOPMENT_BLS_PUBLIC_KEY}=KEY:${DEVELOPMENT_BLS_PRIVATE_KEY}`

describe('node: production and submissions as the user wants them', () => {
  const settings = (...argv: string[]) =>
    nodeSettings(parseOptions(['--data-dir', '/no-such-folder', ...argv]), '1.2.3', 0).engine
  const producer = (...argv: string[]) => settings(...argv).services.production

  it('waiting submissions and transaction status are on, within a GiB each', () => {
    expect(settings().services.transaction_retry).deep.equal({
      max_bytes: GIB,
      interval_us: 20_000_000,
      max_expiration_us: 120_000_000,
    })
    expect(settings().services.transaction_status).deep.equal({
      max_bytes: GIB,
      success_duration_us: 180_000_000,
      failure_duration_us: 180_000_000,
    })
  })

  it('both can be turned off, and changed', () => {
    const off = settings(
      '--transaction-retry-max-storage-size-gb=0',
      '--transaction-finality-status-max-storage-size-gb=0',
    )
    expect(off.services.transaction_retry).equal(undefined)
    expect(off.services.transaction_status).equal(undefined)
    const other = settings(
      '--transaction-retry-max-storage-size-gb=2',
      '--transaction-retry-interval-sec=5',
      '--transaction-retry-max-expiration-sec=6',
      '--transaction-finality-status-success-duration-sec=7',
      '--transaction-finality-status-failure-duration-sec=8',
    )
    expect(other.services.transaction_retry).deep.equal({
      max_bytes: 2 * GIB,
      interval_us: 5_000_000,
      max_expiration_us: 6_000_000,
    })
    expect(other.services.transaction_status).include({
      success_duration_us: 7_000_000,
      failure_duration_us: 8_000_000,
    })
  })

  it('a transaction must be able to live longer than the time between two tries', () => {
    expect(() => producer('--transaction-retry-max-expiration-sec=20')).throw(
      OptionError,
      'transaction-retry-max-expiration-sec 20 must be more than transaction-retry-interval-sec 20',
    )
  })

  it('failures are not charged by default', () => {
    expect(settings().services.subjective_billing.billing).include({
      bill_api: false,
      bill_p2p: false,
    })
    const { billing, failures } = settings(
      '--disable-subjective-api-billing=false',
      '--disable-subjective-p2p-billing=false',
      '--disable-subjective-account-billing=alice',
      '--subjective-account-decay-time-minutes=2',
      '--subjective-account-max-failures=7',
      '--subjective-account-max-failures-window-size=10',
    ).services.subjective_billing
    expect(billing).deep.equal({
      bill_api: true,
      bill_p2p: true,
      disabled_accounts: new Set([nameFromString('alice')]),
      decay_time_minutes: 2,
    })
    expect(failures).deep.equal({ max_failures: 7, window_blocks: 10 })
  })

  it('limits of production', () => {
    expect(producer()).include({
      max_reversible_blocks: 3600,
      pause_vote_timeout_us: 6_000_000,
      read_only_window_us: 60_000,
      max_dry_runs_per_second: Infinity,
    })
    const limited = producer(
      '--max-reversible-blocks=0',
      '--read-only-read-window-time-us=20000',
      '--max-compute-transactions-per-second=0',
    )
    expect(limited).include({
      max_reversible_blocks: 0,
      read_only_window_us: 20_000,
      max_dry_runs_per_second: 0,
    })
  })

  it('how blocks are validated, and what reads see', () => {
    expect(settings().validation).deep.equal({
      read_mode: 'head',
      validation_mode: 'full',
      trusted_producers: [],
      force_all_checks: false,
      sync_blocks: true,
      lost_blocks: 'refuse',
      vote_threads: 1,
    })
    const argv = ['--validation-mode=light', '--trusted-producer=bob', '--force-all-checks']
    const more = ['--read-mode=speculative', '--sync-blocks=false', '--vote-threads=2']
    expect(settings(...argv, ...more).validation).deep.equal({
      read_mode: 'speculative',
      validation_mode: 'light',
      trusted_producers: [nameFromString('bob')],
      force_all_checks: true,
      sync_blocks: false,
      lost_blocks: 'refuse',
      vote_threads: 2,
    })
    expect(() => settings('--validation-mode=none')).throw(OptionError, 'full or light')
    expect(() => settings('--read-mode=tail')).throw(
      OptionError,
      'head, speculative, or irreversible',
    )
    expect(settings('--read-mode=irreversible').validation.read_mode).equal('irreversible')
    expect(() => settings('--read-mode=irreversible', '--producer-name=eosio')).throw(
      OptionError,
      'production is impossible',
    )
    expect(() =>
      settings('--read-mode=irreversible', `--signature-provider=${BLS_PROVIDER}`),
    ).throw(OptionError, 'finalization is impossible')
  })

  it('billing, accounts without list checks, and account queries', () => {
    expect(settings().rules.sig_cpu_bill_pct).equal(5_000)
    expect(settings('--signature-cpu-billable-pct=100').rules.sig_cpu_bill_pct).equal(10_000)
    const { rules } = settings('--sender-bypass-whiteblacklist=alice')
    expect(rules.sender_bypass_whiteblacklist).deep.equal(new Set([nameFromString('alice')]))
    expect(settings('--enable-account-queries=false').services.account_queries).equal(false)
  })
})
