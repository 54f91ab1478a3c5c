/** The operations about the node itself, typed by the contract. */
import { freemem } from 'node:os'
import type { Answer } from '../contract.ts'
import type { Services } from '../services/list.ts'
import type { ApiContext } from './api_context.ts'

/** One method for each operation about the node itself. */
export class NodeApi {
  private readonly services: Services
  /** Undefined: the chain is in memory. */
  private readonly folders: ApiContext['options'] | undefined

  constructor({ services, options }: ApiContext) {
    this.services = services
    this.folders = options.data_dir === undefined ? undefined : options
  }

  getDatabaseSize = (): Answer<'get'> => {
    return this.services.database_size.get({ free_bytes: freemem(), folders: this.folders })
  }
  getHealth = (): Answer<'get_health'> => this.services.health.get()
}
