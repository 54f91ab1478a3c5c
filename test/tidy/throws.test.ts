import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { ROOT, sourceFiles } from './source_files.ts'

type Documented = ts.Node & { body?: ts.Node | undefined }

/** Exported functions and the public methods of exported classes, by name, each with the node of its docstring. */
function* publicFunctions(file: ts.SourceFile): Generator<[string, Documented, ts.Node]> {
  for (const statement of file.statements) {
    const { modifiers = [] } = statement as { modifiers?: readonly ts.ModifierLike[] }
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue
    if (ts.isFunctionDeclaration(statement)) {
      yield [statement.name?.text ?? 'default', statement, statement]
    } else if (ts.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (initializer && isFunctionValue(initializer)) {
          yield [name.getText(file), initializer, statement]
        }
      }
    } else if (ts.isClassDeclaration(statement)) yield* publicMethods(statement, file)
  }
}

function* publicMethods(
  { name, members }: ts.ClassDeclaration,
  file: ts.SourceFile,
): Generator<[string, Documented, ts.Node]> {
  for (const member of members) {
    const { modifiers = [] } = member as { modifiers?: readonly ts.ModifierLike[] }
    const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword]
    if (modifiers.some(({ kind }) => hidden.includes(kind as ts.SyntaxKind.PrivateKeyword)))
      continue
    const title = `${name?.text}.${member.name?.getText(file) ?? 'constructor'}`
    if (ts.isPropertyDeclaration(member)) {
      const { initializer } = member
      if (initializer && isFunctionValue(initializer)) yield [title, initializer, member]
    } else yield [title, member as Documented, member]
  }
}

function isFunctionValue(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node)
}

/** Whether a body itself throws an error of its own; `throw error` only lets one pass. */
function throwsItself(node: ts.Node): boolean {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false
  if (ts.isThrowStatement(node) && !ts.isIdentifier(node.expression)) return true
  return ts.forEachChild(node, (child) => throwsItself(child) || undefined) ?? false
}

/** The functions of a file that throw without a `@throws` in their docstring. */
function undocumented(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  for (const [name, { body }, documented] of publicFunctions(file)) {
    if (!body || !ts.forEachChild(body, (child) => throwsItself(child) || undefined)) continue
    const docs = ts.getJSDocCommentsAndTags(documented).map((doc) => doc.getText(file))
    if (!docs.some((doc) => doc.includes('@throws'))) found.push(`${path}: ${name}`)
  }
  return found
}

describe('tidy: errors', () => {
  it('public functions and methods that throw say what, in their docstring', () => {
    const found = sourceFiles(['src']).flatMap((path) =>
      undocumented(path, readFileSync(join(ROOT, path), 'utf8')),
    )
    expect(found).deep.equal([])
  })

  it('each kind of function and method is found, and none that only lets errors pass', () => {
    const text = `
      export function plain() { throw new Error() }
      /** @throws Error */
      export function documented() { throw new Error() }
      function own() { throw new Error() }
      export function outer() { return () => { throw new Error() } }
      export function rethrows() { try { own() } catch (error) { throw error } }
      export const arrow = () => { if (true) throw new Error() }
      export class Both {
        constructor() { throw new Error() }
        get value(): number { throw new Error() }
        method() { for (;;) throw new Error() }
        field = () => { throw new Error() }
        private hidden() { throw new Error() }
        /** @throws Error */
        told() { throw new Error() }
      }
      class Own { method() { throw new Error() } }`
    expect(undocumented('x.ts', text)).deep.equal([
      'x.ts: plain',
      'x.ts: arrow',
      'x.ts: Both.constructor',
      'x.ts: Both.value',
      'x.ts: Both.method',
      'x.ts: Both.field',
    ])
  })
})
