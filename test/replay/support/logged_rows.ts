import { N, nameToString } from '../../../src/engine/protocol/name.ts'
import { publicKeyToString } from '../../../src/engine/protocol/key.ts'
import { timePointToString } from '../../../src/engine/protocol/time.ts'
import type { Database } from '../../../src/engine/state/database.ts'
import type { ResourceUsage } from '../../../src/engine/state/rows.ts'
import type { LoggedRow } from './deep_mind_log.ts'

type Usage = ResourceUsage['net_usage']

/** 64-bit numbers of more than 32 bits are text in JSON. */
const number = (value: bigint): number | string =>
  value > 0xffffffffn ? String(value) : Number(value)

const accumulator = ({ last_ordinal, value_ex, consumed }: Usage): LoggedRow => ({
  last_ordinal,
  value_ex: number(value_ex),
  consumed: number(consumed),
})

/** Usage of every account, by account. */
export function accountUsageJson(db: Database): Record<string, LoggedRow> {
  const rows: Record<string, LoggedRow> = {}
  for (const { owner, net_usage, cpu_usage, ram_usage } of db.resource_usage.all()) {
    const name = nameToString(owner)
    rows[name] = {
      owner: name,
      net_usage: accumulator(net_usage),
      cpu_usage: accumulator(cpu_usage),
      ram_usage: number(ram_usage),
    }
  }
  return rows
}

export function limitsStateJson(db: Database): LoggedRow {
  const { average_block_net_usage, average_block_cpu_usage, ...rest } =
    db.resource_limits_state.single()
  return {
    average_block_net_usage: accumulator(average_block_net_usage),
    average_block_cpu_usage: accumulator(average_block_cpu_usage),
    pending_net_usage: number(rest.pending_net_usage),
    pending_cpu_usage: number(rest.pending_cpu_usage),
    total_net_weight: number(rest.total_net_weight),
    total_cpu_weight: number(rest.total_cpu_weight),
    total_ram_bytes: number(rest.total_ram_bytes),
    virtual_net_limit: number(rest.virtual_net_limit),
    virtual_cpu_limit: number(rest.virtual_cpu_limit),
  }
}

/**
 * Every permission whose changes are logged, by `account@permission`, with its ids. The chain sets those
 * of eosio.prods itself when producers change, and logs nothing.
 */
export function permissionJson(db: Database): Record<string, LoggedRow> {
  const rows: Record<string, LoggedRow> = {}
  for (const row of db.permission.all()) {
    if (row.id === 0 || row.owner === N('eosio.prods')) continue
    const [owner, name] = [nameToString(row.owner), nameToString(row.name)]
    const { threshold, keys, accounts, waits } = row.auth
    rows[`${owner}@${name}`] = {
      usage_id: row.usage_id,
      parent: row.parent,
      owner,
      name,
      last_updated: timePointToString(row.last_updated),
      auth: {
        threshold,
        keys: keys.map(({ key, weight }) => ({ key: publicKeyToString(key), weight })),
        accounts: accounts.map(({ permission: { actor, permission }, weight }) => ({
          permission: { actor: nameToString(actor), permission: nameToString(permission) },
          weight,
        })),
        waits,
      },
    }
  }
  return rows
}
