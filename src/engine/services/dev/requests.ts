/** Requests of the dev group. */
import { asArray, strictString } from '../../abi/lenient_json.ts'
import type { Body } from '../../contract.ts'
import { check } from '../../errors.ts'
import { nameFromString } from '../../protocol/name.ts'
import { parseTimePoint } from '../../protocol/time.ts'
import { parseParams } from '../../queries/params.ts'
import type { BlockProduction } from '../production/production_loop.ts'
import type { MiningGoal } from './development_controls.ts'

const MODES: readonly string[] = ['interval', 'instant', 'manual']

/** Reads the mode of set_production_mode. @throws ChainError invalid_http_request for any other */
export function productionModeRequest(body: Body<'set_production_mode'>): BlockProduction {
  return parseParams(body, (p) => {
    const mode = p.string('mode')
    const known = MODES.includes(mode)
    check(known, 'std_exception', `the mode is one of ${MODES.join(', ')}, not "${mode}"`)
    return mode as BlockProduction
  })
}

/** Reads what mine_blocks shall reach; without anything, one block. @throws ChainError invalid_http_request */
export function miningRequest(body: Body<'mine_blocks'>): MiningGoal {
  return parseParams(body, (p) => {
    const blocks = p.optionalUint32('blocks')
    const until_block_num = p.optionalUint32('until_block_num')
    const until_time = p.optionalString('until_time')
    const is_open = until_block_num === undefined && until_time === undefined
    return {
      blocks: blocks ?? (is_open ? 1 : 0),
      until_block_num: until_block_num ?? 0,
      until_time_us: until_time === undefined ? 0 : parseTimePoint(until_time),
    }
  })
}

/** Reads the time of advance_time, which may be relative to the present one: the later of two, a second later
 *  without any.
 *  @throws ChainError invalid_http_request */
export function timeRequest(body: Body<'advance_time'>): (now_us: number) => number {
  return parseParams(body, (p) => {
    const until = p.optionalString('until')
    const seconds = p.uint32('seconds', until === undefined ? 1 : 0)
    const until_us = until === undefined ? 0 : parseTimePoint(until)
    return (now_us) => Math.max(until_us, now_us + seconds * 1_000_000)
  })
}

/** Reads the number of a checkpoint. @throws ChainError invalid_http_request */
export function checkpointRequest(body: Body<'go_back_to_checkpoint' | 'drop_checkpoint'>): number {
  return parseParams(body, (p) => p.uint32('checkpoint', 0))
}

/** Reads the accounts of act_as. @throws ChainError invalid_http_request */
export function actAsRequest(body: Body<'act_as'>): readonly bigint[] | 'all' {
  return parseParams(body, (p) => {
    const accounts = (p.optional('accounts', asArray) ?? []).map((name) =>
      nameFromString(strictString(name)),
    )
    return p.bool('all') ? 'all' : accounts
  })
}
