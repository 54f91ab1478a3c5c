import { stateDigest } from '../engine/chain/support/state_digest.ts'
import type { TestNode } from './test_node.ts'

/** Everything that a request may change, by part. */
export type Fingerprint = { [part: string]: unknown }

/** What a node is at this moment; plain data, which does not change with the node. */
export function fingerprintOf(node: TestNode): Fingerprint {
  const { chain, services, ...engine } = node.engine
  const { production: producer } = services
  const parts = {
    state: stateDigest(chain.db),
    head: engine.api.chain.getInfo(),
    paused: engine.api.producer.paused(),
    waiting: producer.processor.queue.size,
    lists: engine.api.producer.getWhitelistBlacklist(),
    greylist: engine.api.producer.getGreylist(),
    options: engine.api.producer.getRuntimeOptions(),
    features: engine.api.producer.getScheduledProtocolFeatureActivations(),
    controls: {
      production: producer.loop.block_production,
      checkpoints: chain.checkpoints.length,
      any_account: [...producer.rules.any_account].map(String),
    },
    snapshots: scheduledSnapshots(engine.api.producer.getSnapshotRequests()),
  }
  return JSON.parse(JSON.stringify(parts)) as Fingerprint
}

/** The names of the parts that are not the same. */
export function changedParts(before: Fingerprint, after: Fingerprint): string[] {
  const same = (part: string) => JSON.stringify(before[part]) === JSON.stringify(after[part])
  return Object.keys(before).filter((part) => !same(part))
}

/** Which are scheduled; those that are being made are not what a request changes. */
function scheduledSnapshots({ snapshot_requests }: { snapshot_requests: readonly Scheduled[] }) {
  return snapshot_requests.map(({ snapshot_request_id }) => snapshot_request_id)
}

interface Scheduled {
  snapshot_request_id: number
}
