/** The contract as a document: lint, one name everywhere, coverage of the specification, examples. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { redocly } from '../../scripts/codegen/bundle.ts'
import { resolveRef } from '../../scripts/codegen/contract.ts'
import type { Content, Schema } from '../../scripts/codegen/contract.ts'
import { generate, staleFiles } from '../../scripts/codegen/index.ts'
import { closed, contract, firstError, operations, root, validatorFactory } from './support.ts'

const openapi = join(root, 'openapi')
const filesIn = (folder: string) => readdirSync(join(openapi, folder)).sort()

/** The operations of the specification, with those that the contract adds. */
const CHAIN = `get_account get_block get_block_info get_info push_transaction send_transaction
  push_transactions get_block_header_state get_abi get_currency_balance get_currency_stats
  get_required_keys get_producers get_producer_schedule get_raw_code_and_abi
  get_scheduled_transactions get_table_by_scope get_table_rows get_code get_code_hash get_raw_abi
  get_activated_protocol_features get_transaction_status send_transaction2 compute_transaction
  get_transaction_id send_read_only_transaction get_consensus_parameters get_finalizer_info
  get_raw_block get_block_header push_block get_accounts_by_authorizers`
const PRODUCER = `pause resume paused get_runtime_options update_runtime_options get_greylist
  add_greylist_accounts remove_greylist_accounts get_whitelist_blacklist set_whitelist_blacklist
  create_snapshot schedule_snapshot unschedule_snapshot get_snapshot_requests get_integrity_hash
  schedule_protocol_feature_activations get_supported_protocol_features
  get_account_ram_corrections get_unapplied_transactions get_scheduled_protocol_feature_activations
  pause_at_block`
const NODE = 'get_supported_apis get_health'
const DB_SIZE = 'get'
const DEV = `get_controls set_production_mode mine_blocks advance_time take_checkpoint
  go_back_to_checkpoint drop_checkpoint act_as create_account set_authority set_balance save_state
  load_state`
const NET = 'connect disconnect status connections bp_gossip_peers'
const words = (text: string) => text.split(/\s+/).sort()

/** Operations whose answer the specification calls null: they answer it on demand. */
const MINIMAL = words(`push_transaction send_transaction push_transactions send_transaction2
  compute_transaction send_read_only_transaction add_greylist_accounts create_snapshot
  schedule_protocol_feature_activations`)

/** Its answer is null where there is no connection. */
const NULLABLE = 'status'

/** Every schema of a schema, itself first, with where it is. */
function* walk(schema: Schema, where: string): Generator<[string, Schema]> {
  yield [where, schema]
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* walk(property, `${where}.${name}`)
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const)
    for (const part of schema[keyword] ?? []) yield* walk(part, where)
  if (schema.items !== undefined) yield* walk(schema.items, `${where}[]`)
}

describe('the contract', () => {
  it('passes the linter without errors and warnings', () => {
    const report = JSON.parse(
      redocly(root, ['lint', 'openapi/openapi.yaml', '--format', 'json']),
    ) as { problems: unknown[] }
    expect(report.problems).to.deep.equal([])
  })

  it('is what generated/ was made from', async () => {
    expect(staleFiles(await generate())).to.deep.equal([])
  })

  it('has every operation of the specification, one file each', () => {
    const groups = {
      chain: CHAIN,
      producer: PRODUCER,
      node: NODE,
      net: NET,
      db_size: DB_SIZE,
      dev: DEV,
    }
    for (const [group, names] of Object.entries(groups)) {
      const expected = words(names)
      const inGroup = operations.filter((operation) => operation.group === group)
      expect(inGroup.map(({ name }) => name).sort()).to.deep.equal(expected)
      expect(filesIn(`paths/${group}`)).to.deep.equal(expected.map((name) => `${name}.yaml`))
    }
  })

  it('names components as their files, and uses every file', () => {
    for (const kind of ['schemas', 'responses', 'examples', 'parameters', 'headers']) {
      const names = Object.keys(contract.components[kind] ?? {}).map((name) => `${name}.yaml`)
      expect(filesIn(`components/${kind}`), kind).to.deep.equal(names.sort())
    }
  })

  it('refers to nothing outside of itself', () => {
    const refs = JSON.stringify(contract).match(/"\$ref":"[^"]*"/g) ?? []
    for (const ref of refs) expect(ref).to.match(/^"\$ref":"#\/components\//)
  })

  it('answers with the statuses of the specification', () => {
    const status = (group: string, name: string, category: string) => {
      if (name === 'get_unapplied_transactions' || group === 'node' || group === 'db_size')
        return 200
      if (group === 'producer' || group === 'net' || group === 'dev') return 201
      return category === 'chain_rw' ? 202 : 200
    }
    for (const { group, name, category, successStatus } of operations)
      expect(successStatus, name).to.equal(status(group, name, category))
  })

  it('answers null on demand where the specification says null', () => {
    const minimal = operations.filter((operation) => operation.minimal)
    expect(minimal.map(({ name }) => name).sort()).to.deep.equal(MINIMAL)
    const validator = validatorFactory()
    for (const { name, responseSchema, minimal } of operations)
      expect(validator(responseSchema)(null), name).to.equal(minimal || name === NULLABLE)
  })

  it('answers every failure with the one Error', () => {
    for (const { path, name } of operations) {
      const { post, get } = contract.paths[path] ?? {}
      const failures = Object.entries(post?.responses ?? {}).filter(([status]) => status >= '400')
      const statuses = failures.map(([status]) => status)
      expect(statuses, name).to.include.members(['400', '404', '413', '500', '503'])
      for (const [, response] of failures) {
        const content = resolveRef(contract, response).content
        expect(content?.['application/json']?.schema.$ref).to.equal('#/components/schemas/Error')
      }
      if (get !== undefined) expect(get.responses).to.deep.equal(post?.responses)
    }
  })

  it('describes every component and every field', () => {
    for (const [name, component] of Object.entries(contract.components.schemas)) {
      expect(component.description, name).to.be.a('string')
      for (const [where, schema] of walk(component, name))
        for (const [field, { description }] of Object.entries(schema.properties ?? {}))
          expect(description, `${where}.${field}`).to.be.a('string')
    }
  })

  it('gives examples that are valid, for every request and every answer', () => {
    const validator = validatorFactory(closed)
    for (const { path } of operations) {
      const { post } = contract.paths[path] ?? {}
      for (const content of [post?.requestBody?.content, ...answers(path)]) {
        const { schema, examples } = content?.['application/json'] ?? {}
        expect(Object.keys(examples ?? {}).length, path).to.be.greaterThan(0)
        const validate = validator(schema ?? {})
        for (const [name, example] of Object.entries(examples ?? {}))
          if (!validate(resolveRef(contract, example).value))
            expect.fail(`${path} ${name}: ${firstError(validate.errors)}`)
      }
    }
  })

  it('has no handler without an operation', () => {
    for (const group of ['chain', 'producer', 'net', 'node', 'db_size']) {
      const folder = join(root, 'src/handlers', group)
      const handlers = existsSync(folder) ? readdirSync(folder) : []
      const names = operations.filter((operation) => operation.group === group)
      expect(names.map(({ name }) => `${name}.ts`)).to.include.members(handlers)
    }
  })

  it('marks generated sources as generated', () => {
    for (const name of ['api.ts', 'routes.ts', 'validators.ts', 'response_validators.ts']) {
      const [first] = readFileSync(join(root, 'generated', name), 'utf8').split('\n')
      expect(first).to.equal('// Generated from openapi/ by `make codegen`. Do not edit.')
    }
  })
})

function answers(path: string): (Content | undefined)[] {
  const responses = Object.values(contract.paths[path]?.post.responses ?? {})
  return responses.map((response) => resolveRef(contract, response).content)
}
