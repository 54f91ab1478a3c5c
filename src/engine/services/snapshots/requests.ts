/** Requests about snapshots, read as leniently as the reference reads them. */
import type { Body } from '../../contract.ts'
import { parseParams, present } from '../../queries/params.ts'
import type { SnapshotRequestParams } from './snapshot_schedule.ts'
import type { CreateSnapshotParams } from './snapshot_service.ts'

/** `{allow_reversible?}`, or nothing. */
export function createSnapshotRequest(params: Body<'create_snapshot'>): CreateSnapshotParams {
  return parseParams(params ?? {}, (p) => ({ allow_reversible: p.bool('allow_reversible') }))
}

/**
 * Reads the parameters of schedule_snapshot.
 * @throws ChainError invalid_http_request for another form
 */
export function scheduleSnapshotRequest(params: Body<'schedule_snapshot'>): SnapshotRequestParams {
  return parseParams(params, (p) =>
    present<SnapshotRequestParams>({
      block_spacing: p.optionalUint32('block_spacing'),
      start_block_num: p.optionalUint32('start_block_num'),
      end_block_num: p.optionalUint32('end_block_num'),
      snapshot_description: p.optionalString('snapshot_description'),
    }),
  )
}

/**
 * Reads the id of the snapshot request in unschedule_snapshot; 0 if absent.
 * @throws ChainError invalid_http_request for another form
 */
export function unscheduleSnapshotRequest(params: Body<'unschedule_snapshot'>): number {
  return parseParams(params, (p) => p.uint32('snapshot_request_id', 0))
}
