import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { OptionError } from '../../options/option_error.ts'
import type { OptionReader } from '../../options/option_reader.ts'
import { PRODUCTION } from '../production/definition.ts'
import { defineService, type NodeFacts } from '../service.ts'
import { SNAPSHOT_OPTIONS } from './options.ts'
import { SnapshotService, type SnapshotSettings } from './snapshot_service.ts'

/** Snapshots, at once and by a schedule, and hashes of the state. Without a data folder there are none. */
export const SNAPSHOTS = defineService({
  name: 'snapshots',
  plugins: [
    { name: 'producer', needs: ['chain', 'signature_provider'] },
    {
      name: 'producer_api',
      needs: ['producer', 'http'],
      categories: [{ name: 'snapshot', control: true }],
    },
  ],
  options: SNAPSHOT_OPTIONS,
  settings,
  operations: [
    'create_snapshot',
    'schedule_snapshot',
    'unschedule_snapshot',
    'get_snapshot_requests',
    'get_integrity_hash',
  ],
  needs: [PRODUCTION],
  open: async ({ settings, in_memory, chain, log, services }) => {
    const { folder, ...others } = settings
    const { loop } = services.production
    const service = new SnapshotService(
      { ...others, folder: in_memory ? undefined : folder },
      { chain, loop, log },
    )
    service.follow(chain.events)
    if (settings.integrity_hash_on_start) await service.logIntegrityHash('started')
    return service
  },
})

function settings(values: OptionReader, { data_dir }: NodeFacts): SnapshotSettings {
  const folder = values.text('snapshots-dir')!
  if (isAbsolute(folder) && !existsSync(folder)) {
    throw new OptionError(`snapshots-dir: there is no file ${folder}`)
  }
  return {
    folder: resolve(data_dir, folder),
    max_retained: values.integer('max-retained-snapshots'),
    integrity_hash_on_start: values.switch('integrity-hash-on-start'),
    integrity_hash_on_stop: values.switch('integrity-hash-on-stop'),
  }
}
