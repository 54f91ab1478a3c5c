import type { Log } from '../../../log.ts'
import { publicKeyOf, signDigest } from '../../../crypto/keys.ts'
import { defaultGenesis } from '../../../protocol/genesis.ts'
import { fromHex, toHex } from '../../../protocol/hex.ts'
import type { Chain } from '../../../chain/chain.ts'
import type { FinalizerKeys } from '../../../chain/voting/node_finalizers.ts'
import type { Clock } from '../../../clock.ts'
import type { ProducerOptions } from '../producer_options.ts'
import { bootDevelopmentChain, needsBoot } from './boot.ts'

/**
 * Activates Savanna on a new development chain, if this node has the key of eosio and a finalizer.
 * A chain with more blocks is not changed.
 */
export function startOnSavanna(
  chain: Chain,
  options: { signing_keys: ProducerOptions['signing_keys']; finalizer_keys: FinalizerKeys },
  { clock, log }: { clock: Clock; log: Log },
): void {
  const key = defaultGenesis().initial_key
  const secret = options.signing_keys.get(toHex(key))
  const finalizers = [...options.finalizer_keys.keys()].map(fromHex)
  if (!secret || finalizers.length === 0 || !needsBoot(chain)) return
  bootDevelopmentChain(chain, {
    sign: (digest) => signDigest(secret, digest),
    key: publicKeyOf(secret),
    finalizers,
    now_us: clock.now(),
  })
  log('info', `new development chain; Savanna is active from block ${chain.head.block_num}`)
}
