/** Documentation of the code: docstrings, and phrases that a reader would have to guess. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { ROOT, sourceFiles } from './source_files.ts'

/** `path:line name` of each exported function and class of a file that has no docstring. */
function withoutDocstring(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return file.statements.flatMap((statement) => {
    const name = exportedName(statement)
    if (name === undefined || ts.getJSDocCommentsAndTags(statement).length > 0) return []
    const { line } = file.getLineAndCharacterOfPosition(statement.getStart())
    return [`${path}:${line + 1} ${name}`]
  })
}

/** The name of an exported class or function, a function in a constant included. */
function exportedName(statement: ts.Statement): string | undefined {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return undefined
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
    return statement.name?.text ?? 'default'
  }
  if (!ts.isVariableStatement(statement)) return undefined
  const functions = statement.declarationList.declarations.filter(
    ({ initializer }) =>
      initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)),
  )
  return functions[0]?.name.getText()
}

/** Phrases that make a reader guess who does what; plain words exist for all of them. */
const VAGUE = new RegExp(
  '\\b(nobody|somebody|anybody|whoever|hears|goes on|go on|going on|went on|given away|gives? up|' +
    'gave up|given up|begins? anew|takes? notice|stand(s|ing)? still|the house|riddles?)\\b',
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

/** A document without its blocks of code. */
const proseOf = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, '')

describe('tidy: words', () => {
  it('every exported class and function has a docstring', () => {
    const offenders = sourceFiles(['src']).flatMap((path) =>
      withoutDocstring(path, readFileSync(join(ROOT, path), 'utf8')),
    )
    expect(offenders).deep.equal([])
  })

  it('a missing docstring is found', () => {
    const text =
      '/** Of a. */\nexport class A {}\nexport class B {}\nexport const c = () => 1\n' +
      'export async function d() {}\nexport const e = 1\nfunction f() {}\n'
    expect(withoutDocstring('x.ts', text)).deep.equal(['x.ts:3 B', 'x.ts:4 c', 'x.ts:5 d'])
  })

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

  it('a vague phrase is found, across lines too', () => {
    const text = "/**\n * The chain goes\n * on.\n */\nconst a = 'nobody' // Somebody waits.\n"
    expect(vaguePhrases('x.ts', commentsOf(text))).deep.equal(['x.ts: goes on', 'x.ts: Somebody'])
    expect(vaguePhrases('x.md', proseOf('a\n```sh\nnobody\n```\n'))).deep.equal([])
  })
})
