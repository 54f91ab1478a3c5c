/**
 * The builtin protocol features, one table: everything about them that is known without a node
 * (spring: protocol_feature_manager.cpp). Their digests follow from it, see FeatureSet; so do the host
 * functions that a chain lets contracts import.
 */

/** One row of the table. */
interface Row<Name extends string, Dependency extends string> {
  readonly name: Name
  /** Its number in the digest; 14 and 15 were never released. */
  readonly id: number
  /** SHA-256 of the feature's published description, lowercase hex. */
  readonly description_digest: string
  readonly dependencies: readonly Dependency[]
  /** False for the first feature alone: nothing could preactivate it. */
  readonly preactivation_required: boolean
  /** Host functions that contracts may import once it is active. */
  readonly intrinsics: readonly string[]
}

function spec<const Name extends string, const Dependency extends string = never>(
  id: number,
  name: Name,
  description_digest: string,
  extras: Partial<
    Pick<Row<Name, Dependency>, 'dependencies' | 'preactivation_required' | 'intrinsics'>
  > = {},
): Row<Name, Dependency> {
  const base = { dependencies: [], preactivation_required: true, intrinsics: [] }
  return { id, name, description_digest, ...base, ...extras }
}

// oxfmt-ignore
const BEFORE_SAVANNA = [
  spec(0, 'PREACTIVATE_FEATURE', '64fe7df32e9b86be2b296b3f81dfd527f84e82b98e363bc97e40bc7a83733310', {
    preactivation_required: false,
    intrinsics: ['preactivate_feature', 'is_feature_activated'],
  }),
  spec(1, 'ONLY_LINK_TO_EXISTING_PERMISSION', 'f3c3d91c4603cde2397268bfed4e662465293aab10cd9416db0d442b8cec2949'),
  spec(2, 'REPLACE_DEFERRED', '9908b3f8413c8474ab2a6be149d3f4f6d0421d37886033f27d4759c47a26d944'),
  spec(3, 'NO_DUPLICATE_DEFERRED_ID', '45967387ee92da70171efd9fefd1ca8061b5efe6f124d269cd2468b47f1575a0', {
    dependencies: ['REPLACE_DEFERRED'],
  }),
  spec(4, 'FIX_LINKAUTH_RESTRICTION', 'a98241c83511dc86c857221b9372b4aa7cea3aaebc567a48604e1d3db3557050'),
  spec(5, 'DISALLOW_EMPTY_PRODUCER_SCHEDULE', '2853617cec3eabd41881eb48882e6fc5e81a0db917d375057864b3befbe29acd'),
  spec(6, 'RESTRICT_ACTION_TO_SELF', 'e71b6712188391994c78d8c722c1d42c477cf091e5601b5cf1befd05721a57f3'),
  spec(7, 'ONLY_BILL_FIRST_AUTHORIZER', '2f1f13e291c79da5a2bbad259ed7c1f2d34f697ea460b14b565ac33b063b73e2'),
  spec(8, 'FORWARD_SETCODE', '898082c59f921d0042e581f00a59d5ceb8be6f1d9c7a45b6f07c0e26eaee0222'),
  spec(9, 'GET_SENDER', '1eab748b95a2e6f4d7cb42065bdee5566af8efddf01a55a0a8d831b823f8828a', {
    intrinsics: ['get_sender'],
  }),
  spec(10, 'RAM_RESTRICTIONS', '1812fdb5096fd854a4958eb9d53b43219d114de0e858ce00255bd46569ad2c68'),
  spec(11, 'WEBAUTHN_KEY', '927fdf78c51e77a899f2db938249fb1f8bb38f4e43d9c1f75b190492080cbc34'),
  spec(12, 'WTMSIG_BLOCK_SIGNATURES', 'ab76031cad7a457f4fd5f5fca97a3f03b8a635278e0416f77dcc91eb99a48e10', {
    intrinsics: ['set_proposed_producers_ex'],
  }),
  spec(13, 'ACTION_RETURN_VALUE', '69b064c5178e2738e144ed6caa9349a3995370d78db29e494b3126ebd9111966', {
    intrinsics: ['set_action_return_value'],
  }),
  spec(16, 'BLOCKCHAIN_PARAMETERS', '70787548dcea1a2c52c913a37f74ce99e6caae79110d7ca7b859936a0075b314', {
    intrinsics: ['get_parameters_packed', 'set_parameters_packed'],
  }),
  spec(17, 'GET_CODE_HASH', 'd2596697fed14a0840013647b99045022ae6a885089f35a7e78da7a43ad76ed4', {
    intrinsics: ['get_code_hash'],
  }),
  spec(18, 'CONFIGURABLE_WASM_LIMITS2', '8139e99247b87f18ef7eae99f07f00ea3adf39ed53f4d2da3f44e6aa0bfd7c62', {
    intrinsics: ['set_wasm_parameters_packed', 'get_wasm_parameters_packed'],
  }),
  spec(19, 'CRYPTO_PRIMITIVES', '68d6405cb8df3de95bd834ebb408196578500a9f818ff62ccc68f60b932f7d82', {
    intrinsics: ['alt_bn128_add', 'alt_bn128_mul', 'alt_bn128_pair', 'mod_exp', 'blake2_f', 'sha3', 'k1_recover'],
  }),
  spec(20, 'GET_BLOCK_NUM', 'e5d7992006e628a38c5e6c28dd55ff5e57ea682079bf41fef9b3cced0f46b491', {
    intrinsics: ['get_block_num'],
  }),
  spec(21, 'BLS_PRIMITIVES2', 'c0cce5bcd8ea19a28d9e12eafda65ebe6d0e0177e280d4f20c7ad66dcd9e011b', {
    intrinsics: ['bls_g1_add', 'bls_g2_add', 'bls_g1_weighted_sum', 'bls_g2_weighted_sum', 'bls_pairing',
      'bls_g1_map', 'bls_g2_map', 'bls_fp_mod', 'bls_fp_mul', 'bls_fp_exp'],
  }),
  spec(22, 'DISABLE_DEFERRED_TRXS_STAGE_1', '440c3efaaab212c387ce967c574dc813851cf8332d041beb418dfaf55facd5a9'),
  spec(23, 'DISABLE_DEFERRED_TRXS_STAGE_2', 'a857eeb932774c511a40efb30346ec01bfb7796916b54c3c69fe7e5fb70d5cba', {
    dependencies: ['DISABLE_DEFERRED_TRXS_STAGE_1'],
  }),
]

const ROWS = [
  ...BEFORE_SAVANNA,
  spec(24, 'SAVANNA', '01a8bebb4922c38293a8909668f7d00ba4a21a455c69719ad7dcc33ea1e631c0', {
    dependencies: BEFORE_SAVANNA.slice(1).map((feature) => feature.name),
    intrinsics: ['set_finalizers'],
  }),
]

/** Code name of a builtin protocol feature. */
export type BuiltinFeatureName = (typeof ROWS)[number]['name']

/** One builtin protocol feature of this software. */
export type FeatureSpec = Row<BuiltinFeatureName, BuiltinFeatureName>

/** All builtin features by ascending number. Each follows the features that it depends on. */
export const FEATURE_SPECS: readonly FeatureSpec[] = ROWS
