/** The operations of the net group, typed by the contract. */
import type { Answer, Body } from '../contract.ts'
import type { Services } from '../services/list.ts'
import { peerAddressRequest } from '../services/net/requests.ts'
import type { ApiContext } from './api_context.ts'

/** One method for each operation of the net group: plain data in and out. */
export class NetApi {
  private readonly services: Services

  constructor({ services }: ApiContext) {
    this.services = services
  }

  connect = (body: Body<'connect'>): Answer<'connect'> =>
    this.services.net.connect(peerAddressRequest(body))
  disconnect = (body: Body<'disconnect'>): Answer<'disconnect'> =>
    this.services.net.disconnect(peerAddressRequest(body))
  status = (body: Body<'status'>): Answer<'status'> =>
    this.services.net.status(peerAddressRequest(body))
  connections = (): Answer<'connections'> => this.services.net.connections()
  gossipPeers = (): Answer<'bp_gossip_peers'> => this.services.net.gossipPeers()
}
