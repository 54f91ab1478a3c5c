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

/** The functions of a file that only throw: they return `never`, or assert a condition. */
function* refusersOf(file: ts.SourceFile): Generator<string> {
  for (const statement of file.statements) {
    if (!ts.isFunctionDeclaration(statement) || !statement.type || !statement.name) continue
    const { type, name } = statement
    const asserts = ts.isTypePredicateNode(type) && type.assertsModifier !== undefined
    if (asserts || type.kind === ts.SyntaxKind.NeverKeyword) yield name.text
  }
}

/** The names that a file imports or declares at its top. */
function namesOf(file: ts.SourceFile): Set<string> {
  const names = file.statements.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return [statement.name?.text ?? 'default']
    const bindings = ts.isImportDeclaration(statement) && statement.importClause?.namedBindings
    return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(nameText) : []
  })
  return new Set(names)
}

const nameText = ({ name }: ts.ImportSpecifier): string => name.text

/**
 * Whether a body throws an error of its own, also by a call of a function that throws; `throw error` only lets one
 * pass. An error that the body catches is not counted.
 */
function throwsItself(node: ts.Node, throwers: ReadonlySet<string>): boolean {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false
  if (ts.isThrowStatement(node) && !ts.isIdentifier(node.expression)) return true
  const is_call = ts.isCallExpression(node) && ts.isIdentifier(node.expression)
  if (is_call && throwers.has((node.expression as ts.Identifier).text)) return true
  return bodyThrows(node, throwers)
}

function bodyThrows(node: ts.Node, throwers: ReadonlySet<string>): boolean {
  const is_caught = (part: ts.Node) =>
    ts.isTryStatement(node) && node.catchClause !== undefined && part === node.tryBlock
  const found = ts.forEachChild(
    node,
    (part) => (!is_caught(part) && throwsItself(part, throwers)) || undefined,
  )
  return found ?? false
}

/** Functions whose callers must know their errors, by their names. */
const READERS =
  /^(parse|read|decode|unpack|open|push|validate|verify|check)[A-Z]|From(Json|String|Text)$/

interface Throwers {
  /** Functions that only throw. */
  refusers: ReadonlySet<string>
  /** Those, and functions with a `@throws`. */
  documented: ReadonlySet<string>
}

const hasThrows = (node: ts.Node): boolean =>
  ts.getJSDocCommentsAndTags(node).some((doc) => doc.getText().includes('@throws'))

function throwersOf(files: readonly ts.SourceFile[]): Throwers {
  const refusers = files.flatMap((file) => [...refusersOf(file)])
  const documented = files.flatMap((file) =>
    [...publicFunctions(file)].filter(([, , node]) => hasThrows(node)).map(([name]) => name),
  )
  return { refusers: new Set(refusers), documented: new Set([...refusers, ...documented]) }
}

/** The functions of a file that throw without a `@throws` in their docstring. */
function undocumented(file: ts.SourceFile, { refusers, documented }: Throwers): string[] {
  const names = namesOf(file)
  const found: string[] = []
  for (const [name, { body }, node] of publicFunctions(file)) {
    const all = READERS.test(name) ? documented : refusers
    const throwers = new Set([...all].filter((thrower) => names.has(thrower)))
    if (!body || hasThrows(node)) continue
    const throws = ts.isBlock(body) ? bodyThrows(body, throwers) : throwsItself(body, throwers)
    if (throws) found.push(`${file.fileName}: ${name}`)
  }
  return found
}

const parsed = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

describe('tidy: errors', () => {
  it('public functions and methods that throw say what, in their docstring', () => {
    const files = sourceFiles(['src']).map((path) =>
      parsed(path, readFileSync(join(ROOT, path), 'utf8')),
    )
    const throwers = throwersOf(files)
    expect(files.flatMap((file) => undocumented(file, throwers))).deep.equal([])
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
    expect(offendersIn(text)).deep.equal([
      ...['plain', 'arrow', 'Both.constructor', 'Both.value', 'Both.method', 'Both.field'],
    ])
  })

  it('a call of a function that only throws counts as a throw, unless its error is caught', () => {
    const text = `
      function refuse(): never { throw new Error() }
      function check(ok: boolean): asserts ok { if (!ok) refuse() }
      export function calls() { if (true) refuse() }
      export const arrow = () => check(false)
      export function catches() { try { refuse() } catch { return 1 } }
      export function ends() { try { refuse() } finally { calls() } }
      export function later() { return () => refuse() }
      export class Both { method() { check(true) } }`
    expect(offendersIn(text)).deep.equal(['calls', 'arrow', 'ends', 'Both.method'])
  })

  it('what reads, parses or checks documents also the errors of documented functions that it calls', () => {
    const text = `
      /** @throws Error */
      export function documented() { throw new Error() }
      export function readThing() { return documented() }
      export const thingFromJson = () => documented()
      export function reader() { return documented() }`
    expect(offendersIn(text)).deep.equal(['readThing', 'thingFromJson'])
  })
})

function offendersIn(text: string): string[] {
  const file = parsed('x.ts', text)
  return undocumented(file, throwersOf([file])).map((found) => found.replace('x.ts: ', ''))
}
