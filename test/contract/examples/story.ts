/** What is asked and answered for the examples of the contract, in order. */
import { resolveRef, type Example } from '../../../scripts/codegen/contract.ts'
import type { Answer } from '../../support/http.ts'
import { contract, operations } from '../support.ts'
import type { ExampleNode } from './example_node.ts'

/** One example: the component that holds it, and what it should be. */
export interface Told {
  /** `#/components/examples/<Name>` */
  ref: string
  value: unknown
  /** What was asked, for those who read a failure. */
  about: string
}

export interface Question {
  /** Absent: the one of the request example. */
  body?: unknown
  /** Which request example it is; null: none. */
  request?: string | null
  /** Which response example the answer is; null: none. */
  response?: string | null
  prefer?: string
}

export class ContextReader {
  readonly requests: Told[] = []
  readonly answers: Told[] = []
  /** Where the nodes keep their files: examples show {@link FOLDER} in its place. */
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Asks an operation for an example; answers the body. Its status must be the one of success. */
  async ask(on: ExampleNode, name: string, question: Question = {}): Promise<unknown> {
    const { request = 'default', response = 'default' } = question
    const operation = operations.find((other) => other.name === name)
    if (operation === undefined) throw new Error(`no operation ${name}`)
    const { path, successStatus } = operation
    const { post } = contract.paths[path]!
    const asked = request === null ? undefined : exampleOf(post.requestBody, request, name)
    const body = question.body ?? (asked && resolveRef(contract, asked).value)
    if (asked?.$ref !== undefined) this.requests.push({ ref: asked.$ref, value: body, about: name })
    const headers = question.prefer === undefined ? {} : { prefer: question.prefer }
    // A text is JSON too, where others send what is not.
    const sent = typeof body === 'string' ? JSON.stringify(body) : body
    const answer = await on.node.ask(path, { body: sent, headers })
    if (answer.status !== successStatus) throw new Error(`${name}: ${answer.text}`)
    const value = this.placed(answer)
    if (response !== null) {
      const shown = exampleOf(post.responses[successStatus], response, name)
      this.answers.push({ ref: shown.$ref!, value, about: name })
    }
    return value
  }

  /** Asks for something that is refused; the answer is the error example of that name. */
  async refused(
    on: ExampleNode,
    example: string,
    path: string,
    body?: unknown,
    status?: number,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const answer = await on.node.ask(path, { body, headers })
    const value = this.placed(answer)
    const { code } = value as { code: number }
    if (answer.status !== (status ?? code)) throw new Error(`${path}: ${answer.text}`)
    this.answers.push({ ref: `#/components/examples/${example}`, value, about: path })
  }

  private placed(answer: Answer): unknown {
    return JSON.parse(answer.text.replaceAll(this.folder, FOLDER))
  }
}

/** The data folder of the examples. */
const FOLDER = '/var/lib/pronghorn'

function exampleOf(
  holder: { $ref?: string; content?: { [mime: string]: { examples?: Examples } } } | undefined,
  key: string,
  name: string,
): Example {
  const example = holder?.content?.['application/json']?.examples?.[key]
  if (example === undefined) throw new Error(`${name} has no example ${key}`)
  return example
}

type Examples = { [name: string]: Example }
