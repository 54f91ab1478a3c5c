import { PRODUCTION } from '../production/definition.ts'
import { defineService } from '../service.ts'
import { NetService } from './net_service.ts'
import { NET_OPTIONS } from './options.ts'
import { netSettings } from './settings.ts'

/** The peer-to-peer network. */
export const NET = defineService({
  name: 'net',
  plugins: [
    { name: 'net', needs: ['chain', 'producer'] },
    {
      name: 'net_api',
      needs: ['net', 'http'],
      categories: [{ name: 'net_ro' }, { name: 'net_rw', control: true }],
    },
  ],
  options: NET_OPTIONS,
  settings: netSettings,
  operations: ['connect', 'disconnect', 'status', 'connections', 'bp_gossip_peers'],
  needs: [PRODUCTION],
  open: async ({ settings, chain, clock, log, services }) => {
    const net = new NetService(settings, { chain, producer: services.production, clock, log })
    await net.listen()
    return net
  },
})
