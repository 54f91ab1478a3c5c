import { expect } from 'chai'
import { DEVELOPMENT_PRIVATE_KEY } from '../../src/node/development.ts'
import { PreparationError, Preparer, type PreparingNode } from '../../src/project/prepare.ts'
import { projectOf } from '../../src/project/project.ts'

const project = projectOf(
  { actions: [{ account: 'hello', name: 'hi', data: { user: 'alice' } }] },
  '.',
  DEVELOPMENT_PRIVATE_KEY,
)

/** A node that refuses all transactions. */
const refusing = {
  get_raw_abi: () => Promise.reject(new Error('there is no hello')),
} as unknown as PreparingNode

describe('project: the preparation of a chain', () => {
  const prepare = async (is_new: boolean): Promise<string[]> => {
    const lines: string[] = []
    const log = (message: string) => void lines.push(message)
    const settings = { node: refusing, system_key: DEVELOPMENT_PRIVATE_KEY, is_new, log }
    await new Preparer(project, settings).run()
    return lines
  }

  it('an action that fails is named, and how all of them run again', async () => {
    const error = await prepare(true).then(
      () => expect.fail('it did not fail'),
      (reason: unknown) => reason,
    )
    expect(error).instanceOf(PreparationError)
    expect((error as Error).message).equal(
      'the chain is not prepared: actions[0] (hello::hi): there is no hello; its actions do not run ' +
        'at later starts; --delete-all-blocks makes a new chain, with all of them',
    )
  })

  it('actions do not run again, which the log says with what to do', async () => {
    expect(await prepare(false)).deep.equal([
      'the chain is not new: its actions do not run at later starts; ' +
        '--delete-all-blocks makes a new chain, with all of them',
    ])
  })
})
