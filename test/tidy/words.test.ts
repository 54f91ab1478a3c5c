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
})
