/** The operations of the producer group (`/v1/producer/*`), typed by the contract. */
import type { Chain } from '../chain/chain.ts'
import type { MutableRules } from '../chain/execution/subjective_rules.ts'
import type { Answer, Body } from '../contract.ts'
import { toHex } from '../protocol/hex.ts'
import type { Services } from '../services/list.ts'
import * as lists from '../services/production/lists.ts'
import * as operations from '../services/production/operations.ts'
import * as requests from '../services/production/requests.ts'
import { describeRuntimeOptions } from '../services/production/runtime_options.ts'
import * as snapshot_requests from '../services/snapshots/requests.ts'
import type { ApiContext } from './api_context.ts'

/** One method for each operation of the producer group: plain data in and out. */
export class ProducerApi {
  private readonly context: ApiContext
  private readonly chain: Chain
  private readonly services: Services
  private readonly rules: MutableRules

  constructor(context: ApiContext) {
    this.context = context
    this.chain = context.chain
    this.services = context.services
    this.rules = context.options.rules
  }

  paused = (): Answer<'paused'> => this.services.production.loop.paused
  pause = () => this.services.production.loop.pause()
  resume = () => this.services.production.loop.resume()
  pauseAtBlock = (body: Body<'pause_at_block'>) =>
    this.services.production.loop.pauseAtBlock(requests.pauseAtBlockRequest(body))
  getRuntimeOptions = (): Answer<'get_runtime_options'> =>
    describeRuntimeOptions(this.services.production.options.runtime, this.rules)
  updateRuntimeOptions = (body: Body<'update_runtime_options'>) =>
    this.services.production.update(requests.runtimeOptionsRequest(body))
  getGreylist = (): Answer<'get_greylist'> => ({ accounts: lists.getGreylist(this.rules) })
  addGreylistAccounts = (body: Body<'add_greylist_accounts'>) =>
    lists.addGreylistAccounts(this.rules, requests.accountsRequest(body))
  removeGreylistAccounts = (body: Body<'remove_greylist_accounts'>) =>
    lists.removeGreylistAccounts(this.rules, requests.accountsRequest(body))
  getWhitelistBlacklist = (): Answer<'get_whitelist_blacklist'> =>
    lists.getWhitelistBlacklist(this.rules)
  setWhitelistBlacklist = (body: Body<'set_whitelist_blacklist'>) =>
    lists.setWhitelistBlacklist(this.rules, requests.whitelistBlacklistRequest(body))
  getSupportedProtocolFeatures = (
    body: Body<'get_supported_protocol_features'>,
  ): Answer<'get_supported_protocol_features'> =>
    operations.getSupportedProtocolFeatures(this.chain, requests.supportedFeaturesRequest(body))
  scheduleProtocolFeatureActivations = (body: Body<'schedule_protocol_feature_activations'>) =>
    this.services.production.loop.features.schedule(requests.featuresRequest(body))
  getScheduledProtocolFeatureActivations =
    (): Answer<'get_scheduled_protocol_feature_activations'> => ({
      protocol_features_to_activate: this.services.production.loop.features.scheduled.map(toHex),
    })
  getAccountRamCorrections = (
    body: Body<'get_account_ram_corrections'>,
  ): Answer<'get_account_ram_corrections'> =>
    operations.getAccountRamCorrections(this.chain, requests.ramCorrectionsRequest(body))
  getUnappliedTransactions = (body: Body<'get_unapplied_transactions'>) => {
    const query = requests.unappliedRequest(body)
    const time_limit_ms = Math.min(query.time_limit_ms ?? Infinity, this.response_time_ms)
    return operations.getUnappliedTransactions(this.services.production, this.context.deps.clock, {
      ...query,
      time_limit_ms,
    })
  }
  createSnapshot = (body: Body<'create_snapshot'>): Promise<Answer<'create_snapshot'>> =>
    this.services.snapshots.createSnapshot(snapshot_requests.createSnapshotRequest(body))
  scheduleSnapshot = (body: Body<'schedule_snapshot'>): Answer<'schedule_snapshot'> =>
    this.services.snapshots.scheduleSnapshot(snapshot_requests.scheduleSnapshotRequest(body))
  unscheduleSnapshot = (body: Body<'unschedule_snapshot'>): Answer<'unschedule_snapshot'> =>
    this.services.snapshots.unscheduleSnapshot(snapshot_requests.unscheduleSnapshotRequest(body))
  getSnapshotRequests = (): Answer<'get_snapshot_requests'> =>
    this.services.snapshots.getSnapshotRequests()
  getIntegrityHash = (): Promise<Answer<'get_integrity_hash'>> =>
    this.services.snapshots.getIntegrityHash()

  private get response_time_ms(): number {
    const { max_response_time_ms } = this.context.options
    return max_response_time_ms < 0 ? Infinity : max_response_time_ms
  }
}
