/**
 * The façade: the engine with its operations by group (`api/`). Handlers, the node's wiring and in-process
 * users import from here and from nowhere else in the engine.
 */
export { Engine, type ServedEngine } from './engine.ts'
export type { ReadAccess } from './read_access.ts'
export { biosContract } from './services/production/development/bios_contract.ts'
export { blsPublicKeyOf } from './crypto/bls.ts'
export {
  encodeAction,
  packAbiText,
  signTransaction,
  type PlainAction,
  type SignedTransactionJson,
  type SigningChain,
} from './json/signed_transaction.ts'
export { chainId } from './crypto/digests.ts'
export { sha256 } from './crypto/hash.ts'
export { publicKeyOf } from './crypto/keys.ts'
export { privateKeyFromString } from './crypto/private_key.ts'
export type { Answer, Body, Operation } from './contract.ts'
export type { EngineDependencies, EngineOptions } from './engine_options.ts'
export {
  BusyError,
  ChainError,
  ERRORS,
  RequestError,
  limitedMessage,
  type ErrorDetail,
} from './errors.ts'
export { API_CATEGORIES, PLUGINS, categoriesOf } from './services/plugins.ts'
export { checkServices, serviceSettings } from './services/list.ts'
export type { Metric } from './services/metric.ts'
export type { NodeFacts, Page } from './services/service.ts'
export { systemClock, type Clock } from './clock.ts'
export { actionEntry } from './services/production/lists.ts'
export { readSignatureProvider } from './services/production/signature_provider.ts'
export type { SignatureProvider } from './services/production/signature_provider.ts'
export type { MutableRules } from './chain/execution/subjective_rules.ts'
export type { Log, LogFields, LogLevel } from './log.ts'
export { DEFAULT_RUNTIME_OPTIONS } from './services/production/runtime_options.ts'
export { serverVersion } from './queries/chain_info.ts'
export { blsPrivateKeyFromString, blsPublicKeyFromString } from './protocol/bls_text.ts'
export { defaultGenesis, genesisFromJson, genesisToJson } from './protocol/genesis.ts'
export { BLOCK_INTERVAL_US } from './protocol/constants.ts'
export { fromBase64, fromHex, toHex } from './protocol/hex.ts'
export { publicKeyFromString, publicKeyToString } from './protocol/key.ts'
export { nameFromString } from './protocol/name.ts'
export { parseTimePoint } from './protocol/time.ts'
export { featureRestrictionsFromJson } from './json/feature_restrictions.ts'
export { defaultRules } from './chain/execution/subjective_rules.ts'
export { LoadingState } from './services/dev/loading_state.ts'
export type { BlockLogFiles } from './store/block_log_files.ts'
export { currentLog } from './store/block_log_files.ts'
export { eraseBlocks, eraseState } from './store/erase.ts'
export { ListenError, checkAddress, listenOn } from './listening.ts'
export type { Address } from './options/address.ts'
export { isSystemError, makeFolder } from './store/file.ts'
export { snapshotToJson } from './json/snapshot.ts'
export { isForkSnapshot } from './chain/startup/begin_fork.ts'
export { chainIdOfSnapshot } from './snapshot/load_snapshot.ts'
export { writeSnapshot } from './snapshot/write_snapshot.ts'
export { chainIdOfLog, firstBlockOfLog, genesisOfLog } from './store/inspect_block_log.ts'

// For chains in the process of a test (src/in_process).
export { ChainApi } from './api/chain.ts'
export { abiFromJson } from './abi/abi_json.ts'
export { packAbi, unpackAbi } from './abi/abi_binary.ts'
export { returnValueToJson, type AbiResolver } from './abi/action_json.ts'
export { compileAbi, type CompiledAbi } from './abi/compiled_abi.ts'
export { ConversionBudget } from './abi/conversion_budget.ts'
export type { Json } from './abi/json.ts'
export { SYSTEM_ABI_BYTES } from './abi/system_abi.ts'
export { Chain as EngineChain, type Checkpoint, type Savepoint } from './chain/chain.ts'
export {
  createMetadata,
  createUnsignedMetadata,
  metadataSigningDigest,
  recoverMetadataKeys,
} from './chain/base/transaction_metadata.ts'
export type { TransactionKind, TransactionMetadata } from './chain/base/transaction_metadata.ts'
export type { TransactionTrace } from './chain/base/trace.ts'
export type { BlockSigner } from './chain/headers/block_signing.ts'
export { signDigest } from './crypto/keys.ts'
export { transactionTraceJson, type TransactionTraceJson } from './json/trace.ts'
export type { PermissionLevel } from './protocol/authority.ts'
export {
  DEVELOPMENT_KEY,
  DEVELOPMENT_PRIVATE_KEY,
  DEVELOPMENT_FINALIZER,
} from './protocol/genesis.ts'
export { bytesEqual } from './protocol/hex.ts'
export { nameToString } from './protocol/name.ts'
export { slotToString, slotToUs, usToSlot } from './protocol/time.ts'
export { makePackedTransaction, type PackedTransaction } from './protocol/packed_transaction.ts'
export { refBlockOf, type Action, type Transaction } from './protocol/transaction.ts'
export { STATUS_NAMES } from './protocol/transaction_status.ts'
export { abisOf } from './queries/query.ts'
export { getTableRows } from './queries/table_rows.ts'
export {
  packedTransactionFromRequest,
  transactionFromRequest,
} from './queries/transaction_input.ts'
export { AuthorizerIndex } from './services/account_queries/authorizer_index.ts'
export type { Submitter } from './services/production/submissions.ts'
export { activateAllFeatures } from './services/production/development/boot.ts'
export type { HostContext } from './vm/host_context.ts'
export type { CallNode } from './vm/profile/call_tree.ts'
export { ProfilingRuntime } from './vm/profile/profiling_runtime.ts'
export { WasmRuntime } from './vm/runtime.ts'
