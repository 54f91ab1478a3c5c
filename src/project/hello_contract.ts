/**
 * The contract of a new project, as a compiler would write it. In C++ it is
 *
 *     class [[eosio::contract]] hello : public contract {
 *       [[eosio::action, eosio::read_only]] name hi(name user) {
 *         print("hello, ", user);
 *         return user;
 *       }
 *     };
 */
const WASM = [
  '0061736d01000000011a0560037e7e7e0060027f7f017f60017f0060017e0060027f7f0002500403656e761072',
  '6561645f616374696f6e5f64617461000103656e76067072696e7473000203656e76067072696e746e00030365',
  '6e76177365745f616374696f6e5f72657475726e5f76616c75650004030201000503010001070901056170706c',
  '7900040a2e012c0020024280808080808080c0eb005204400f0b4120410810001a411010014120290300100241',
  '20410810030b0b0e010041100b0868656c6c6f2c2000',
].join('')

const ABI = {
  version: 'eosio::abi/1.2',
  types: [],
  tables: [],
  ricardian_clauses: [],
  variants: [],
  structs: [{ name: 'hi', base: '', fields: [{ name: 'user', type: 'name' }] }],
  actions: [{ name: 'hi', type: 'hi', ricardian_contract: '' }],
  action_results: [{ name: 'hi', result_type: 'name' }],
}

/** Code and ABI, as files. */
export const helloContract = {
  wasm: Buffer.from(WASM, 'hex') as Uint8Array,
  /** JSON text. */
  abi: JSON.stringify(ABI, undefined, 2) + '\n',
}
