import { check } from '../../errors.ts'
import { PRODUCTION } from '../production/definition.ts'
import { defineService } from '../service.ts'
import { FORK_HAS_NO_PEERS, NetService, checkListeners } from './net_service.ts'
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
  check: checkListeners,
  open: async ({ settings, chain, clock, log, services }) => {
    const { listeners, peers, producer_addresses, gossip } = settings
    check(
      !chain.is_fork ||
        listeners.length + peers.length + producer_addresses.size + gossip.size === 0,
      'plugin_config_exception',
      `p2p-listen-endpoint, p2p-peer-address: ${FORK_HAS_NO_PEERS}`,
    )
    const net = new NetService(settings, { chain, producer: services.production, clock, log })
    await net.listen()
    return net
  },
})
