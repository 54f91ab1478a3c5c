/** The operations of the dev group (`/v1/dev/*`), typed by the contract. */
import type { Answer, Body } from '../contract.ts'
import { check } from '../errors.ts'
import type { DevelopmentControls } from '../services/dev/development_controls.ts'
import * as requests from '../services/dev/requests.ts'
import type { ApiContext } from './api_context.ts'

/** One method for each operation of the dev group: plain data in and out. */
export class DevApi {
  private readonly controls: DevelopmentControls
  private readonly restart: (() => Promise<void>) | undefined

  constructor({ services, deps }: ApiContext) {
    this.controls = services.dev
    this.restart = deps.restart
  }

  getControls = (): Answer<'get_controls'> => this.controls.get()
  setProductionMode = (body: Body<'set_production_mode'>): Promise<Answer<'set_production_mode'>> =>
    this.controls.setProductionMode(requests.productionModeRequest(body))
  mineBlocks = (body: Body<'mine_blocks'>): Promise<Answer<'mine_blocks'>> =>
    this.controls.mine(requests.miningRequest(body))
  advanceTime = (body: Body<'advance_time'>): Promise<Answer<'advance_time'>> =>
    this.controls.advanceTime(requests.timeRequest(body))
  saveState = (body: Body<'save_state'>): Promise<Answer<'save_state'>> =>
    this.controls.saveState(requests.stateRequest(body))
  /** Resolves when another engine has the state. @throws ChainError; unsupported_feature if none can take its place */
  loadState = async (body: Body<'load_state'>): Promise<void> => {
    const name = requests.stateRequest(body)
    const { restart } = this
    check(restart, 'unsupported_feature', 'the chain of this node cannot be replaced')
    await this.controls.decideToLoad(name)
    await restart()
  }
  takeCheckpoint = (): Promise<Answer<'take_checkpoint'>> => this.controls.takeCheckpoint()
  goBackToCheckpoint = (
    body: Body<'go_back_to_checkpoint'>,
  ): Promise<Answer<'go_back_to_checkpoint'>> =>
    this.controls.goBackTo(requests.checkpointRequest(body))
  dropCheckpoint = (body: Body<'drop_checkpoint'>): Promise<Answer<'drop_checkpoint'>> =>
    this.controls.dropCheckpoint(requests.checkpointRequest(body))
  actAs = (body: Body<'act_as'>): Promise<Answer<'act_as'>> =>
    this.controls.actAs(requests.actAsRequest(body))
  createAccount = (body: Body<'create_account'>): Promise<Answer<'create_account'>> =>
    this.controls.createAccount(requests.newAccountRequest(body))
  setAuthority = (body: Body<'set_authority'>): Promise<Answer<'set_authority'>> =>
    this.controls.setAuthority(requests.newAuthorityRequest(body))
  setBalance = (body: Body<'set_balance'>): Promise<Answer<'set_balance'>> => {
    const { contract, account, quantity } = requests.balanceRequest(body)
    return this.controls.setBalance(contract, account, quantity)
  }
}
