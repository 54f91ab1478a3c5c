/** Phrases of documents, comments and texts that a reader would have to guess. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { ROOT, sourceFiles } from './source_files.ts'

/** Phrases that make a reader guess who does what; plain words exist for all of them. */
const VAGUE = new RegExp(
  '\\b(nobody|somebody|anybody|whoever|hears|goes on|go on|going on|went on|given away|gives? up|' +
    'gave up|given up|begins? anew|takes? notice|stand(s|ing)? still|the house|riddles?|' +
    '(?<!there )(is|are) no (?!longer\\b|more\\b|allowed\\b)\\w+)\\b',
  'gi',
)

/** `path: phrase` for each vague phrase in a text. */
function vaguePhrases(path: string, text: string): string[] {
  return [...text.replace(/\s+(?:\*\s|\/\/\s)?\s*/g, ' ').matchAll(VAGUE)].map(
    ([phrase]) => `${path}: ${phrase}`,
  )
}

/** All comments of a source file. */
const commentsOf = (text: string): string =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/ [^\n]*/g)].map(([comment]) => comment).join('\n')

/** All texts with a space in a source file: errors, log lines, help. */
function textsOf(source: string): string {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    const is_text = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
    if (is_text && node.getText().includes(' ')) texts.push(node.getText())
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest, true))
  return texts.join('\n')
}

/** The titles of the tests in a file. */
const titlesOf = (source: string): string =>
  [...source.matchAll(/\b(?:it|describe)(?:\.\w+)?\(\s*(['"`])(.*?)\1\s*,/g)]
    .map(([, , title]) => title)
    .join('\n')

/** A description of operations or schemas without its examples. */
const withoutExamples = (yaml: string): string =>
  yaml.replace(/^ *(- )?(example|message):.*$/gm, '')

/** A document without its blocks of code. */
const proseOf = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, '')

describe('tidy: words', () => {
  it('comments and documents are in plain words', () => {
    const comments = sourceFiles(['src']).flatMap((path) =>
      vaguePhrases(path, commentsOf(readFileSync(join(ROOT, path), 'utf8'))),
    )
    const documents = sourceFiles(['README.md', 'CONTRIBUTING.md', 'docs'], /\.md$/)
    const prose = documents.flatMap((path) =>
      vaguePhrases(path, proseOf(readFileSync(join(ROOT, path), 'utf8'))),
    )
    expect(documents.length).greaterThan(10)
    expect([...comments, ...prose]).deep.equal([])
  })

  it('texts of the program, titles of tests and descriptions of the API are in plain words', () => {
    const found = (folders: string[], part: (text: string) => string, pattern?: RegExp) =>
      sourceFiles(folders, pattern).flatMap((path) =>
        vaguePhrases(path, part(readFileSync(join(ROOT, path), 'utf8'))),
      )
    expect(found(['src'], textsOf)).deep.equal([])
    expect(found(['test'], titlesOf)).deep.equal([])
    const api = ['openapi/paths', 'openapi/components/schemas', 'openapi/components/responses']
    expect(found(api, withoutExamples, /\.yaml$/)).deep.equal([])
  })

  it('a vague phrase is found, across lines too', () => {
    const text = "/**\n * The chain goes\n * on.\n */\nconst a = 'nobody' // Somebody waits.\n"
    expect(vaguePhrases('x.ts', commentsOf(text))).deep.equal(['x.ts: goes on', 'x.ts: Somebody'])
    expect(vaguePhrases('x.md', proseOf('a\n```sh\nnobody\n```\n'))).deep.equal([])
    expect(vaguePhrases('x.ts', 'There is no block, it is no longer there, and')).deep.equal([])
    // In two parts, so that it is not a title of this file.
    const source = `it${"('goes on', () => { fail(`${x} is no number`) })\nconst b = 'nobody'\n"}`
    expect(vaguePhrases('x.ts', titlesOf(source))).deep.equal(['x.ts: goes on'])
    expect(vaguePhrases('x.ts', textsOf(source))).deep.equal([
      'x.ts: goes on',
      'x.ts: is no number',
    ])
    expect(vaguePhrases('x.yaml', withoutExamples("a: nobody\n  example: 'nobody'\n"))).deep.equal([
      'x.yaml: nobody',
    ])
  })
})
