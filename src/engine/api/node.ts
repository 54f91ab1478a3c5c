/** The operations about the node itself, typed by the contract. */
import { freemem } from 'node:os'
import type { Answer } from '../contract.ts'
import type { Services } from '../services/list.ts'
import type { ApiContext } from './api_context.ts'

/** One method for each operation about the node itself. */
export class NodeApi {
  private readonly services: Services

  constructor({ services }: ApiContext) {
    this.services = services
  }

  getDatabaseSize = (): Answer<'get'> => this.services.database_size.get(freemem())
  getHealth = (): Answer<'get_health'> => this.services.health.get()
}
