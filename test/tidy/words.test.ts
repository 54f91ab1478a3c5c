/** Documentation of the code: docstrings, and phrases that a reader would have to guess. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { ROOT, sourceFiles } from './source_files.ts'

/** `path:line name` of each exported declaration of a file that has no docstring. */
function withoutDocstring(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return file.statements.flatMap((statement) => {
    const name = exportedName(statement)
    if (name === undefined || ts.getJSDocCommentsAndTags(statement).length > 0) return []
    const { line } = file.getLineAndCharacterOfPosition(statement.getStart())
    return [`${path}:${line + 1} ${name}`]
  })
}

/** Folders whose classes describe each public method. */
const DESCRIBED = ['engine/chain', 'engine/queries', 'engine/services', 'engine/store', 'net']

/**
 * `path:line Class.method` of each public method or accessor without a docstring. Those of a class that implements an
 * interface are described there.
 */
function methodsWithoutDocstring(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return file.statements.filter(ts.isClassDeclaration).flatMap((declared) => {
    const name = exportedName(declared)
    const implemented = declared.heritageClauses?.some(
      ({ token }) => token === ts.SyntaxKind.ImplementsKeyword,
    )
    if (name === undefined || implemented) return []
    return declared.members.filter(isPublicMethod).flatMap((member) => {
      if (ts.getJSDocCommentsAndTags(member).length > 0) return []
      const { line } = file.getLineAndCharacterOfPosition(member.getStart())
      return [`${path}:${line + 1} ${name}.${member.name.getText()}`]
    })
  })
}

function isPublicMethod(
  member: ts.ClassElement,
): member is ts.MethodDeclaration | ts.GetAccessorDeclaration {
  if (!ts.isMethodDeclaration(member) && !ts.isGetAccessor(member)) return false
  const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword]
  return !ts.getModifiers(member)?.some(({ kind }) => hidden.includes(kind))
}

/** The name of an exported class, function, constant, interface or type. */
function exportedName(statement: ts.Statement): string | undefined {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return undefined
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations[0]!.name.getText()
  }
  return (statement as { name?: ts.Identifier }).name?.text ?? 'default'
}

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
  it('each export has a docstring', () => {
    const offenders = sourceFiles(['src']).flatMap((path) =>
      withoutDocstring(path, readFileSync(join(ROOT, path), 'utf8')),
    )
    expect(offenders).deep.equal([])
  })

  it('a missing docstring is found', () => {
    const text =
      '/** Of a. */\nexport class A {}\nexport class B {}\nexport const c = () => 1\n' +
      'export async function d() {}\nexport const e = 1\nfunction f() {}\nexport type G = 1\nexport {}\n'
    expect(withoutDocstring('x.ts', text)).deep.equal([
      ...['x.ts:3 B', 'x.ts:4 c', 'x.ts:5 d', 'x.ts:6 e', 'x.ts:8 G'],
    ])
  })

  it('each public method of a class has a docstring, in folders that are complete', () => {
    const offenders = sourceFiles(DESCRIBED.map((folder) => `src/${folder}`)).flatMap((path) =>
      methodsWithoutDocstring(path, readFileSync(join(ROOT, path), 'utf8')),
    )
    expect(offenders).deep.equal([])
  })

  it('a method without a docstring is found', () => {
    const text =
      '/** A. */\nexport class A {\n  /** b. */\n  b() {}\n  c() {}\n  get d() { return 1 }\n  private e() {}\n}\n' +
      'class F { g() {} }\nexport class H implements I {\n  j() {}\n}\n'
    expect(methodsWithoutDocstring('x.ts', text)).deep.equal(['x.ts:5 A.c', 'x.ts:6 A.d'])
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
