import { expect } from 'chai'
import { Tasks } from '../../src/net/tasks.ts'

describe('work of the network', () => {
  let tasks: Tasks
  let done: string[]

  beforeEach(() => {
    tasks = new Tasks()
    done = []
  })

  const note = (what: string) => (): void => void done.push(what)

  it('that is posted is done after all that is in work, in order', () => {
    tasks.run(() => {
      tasks.post(() => {
        done.push('first')
        tasks.post(note('third'))
      })
      tasks.post(note('second'))
      tasks.run(() => {
        tasks.post(note('posted within'))
        done.push('within')
      })
      done.push('now')
    })
    expect(done).deep.equal(['within', 'now', 'first', 'second', 'posted within', 'third'])
    tasks.run(note('later'))
    expect(done.at(-1)).equal('later')
  })

  it('that fails leaves nothing for what comes later', () => {
    const fail = (): void => {
      throw new Error('it fails')
    }
    const work = (): void => {
      tasks.post(fail)
      tasks.post(note('after it'))
    }
    expect(() => tasks.run(work)).throw('it fails')
    tasks.run(note('later'))
    expect(done).deep.equal(['later'])
  })
})
