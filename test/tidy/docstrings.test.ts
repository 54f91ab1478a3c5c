/** Docstrings of exports and of the public methods of exported classes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { ROOT, sourceFiles } from './source_files.ts'

/** The operations of the API are fields of these classes; the contract describes them. */
const OPERATIONS = 'src/engine/api/'

const parsed = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

const sources = (): ts.SourceFile[] =>
  sourceFiles(['src']).map((path) => parsed(path, readFileSync(join(ROOT, path), 'utf8')))

const isDescribed = (node: ts.Node): boolean => ts.getJSDocCommentsAndTags(node).length > 0

function placeOf(node: ts.Node, name: string): string {
  const file = node.getSourceFile()
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${name}`
}

/** `path:line name` of each exported declaration of a file that has no docstring. */
function exportsWithoutDocstring(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    const name = exportedName(statement)
    return name === undefined || isDescribed(statement) ? [] : [placeOf(statement, name)]
  })
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

type Shape = ts.ClassDeclaration | ts.InterfaceDeclaration
/** Classes and interfaces by name. Different ones of the same name count together. */
type Shapes = ReadonlyMap<string, readonly Shape[]>

function shapesOf(files: readonly ts.SourceFile[]): Shapes {
  const shapes = new Map<string, Shape[]>()
  for (const { statements } of files) {
    for (const shape of statements) {
      if (!ts.isClassDeclaration(shape) && !ts.isInterfaceDeclaration(shape)) continue
      const name = shape.name?.text ?? 'default'
      shapes.set(name, [...(shapes.get(name) ?? []), shape])
    }
  }
  return shapes
}

/** The classes and interfaces that a class extends or implements, directly or not. */
function* ancestorsOf(shape: Shape, shapes: Shapes): Generator<Shape> {
  for (const { types } of shape.heritageClauses ?? []) {
    for (const type of types) {
      for (const parent of shapes.get(parentName(type)) ?? []) {
        yield parent
        yield* ancestorsOf(parent, shapes)
      }
    }
  }
}

/** The name of a parent; that of `Pick<Parent, ...>` and the like is its first argument. */
function parentName({ expression, typeArguments }: ts.ExpressionWithTypeArguments): string {
  const name = expression.getText()
  const wrapped = ['Pick', 'Omit', 'Partial'].includes(name) ? typeArguments?.[0] : undefined
  return wrapped && ts.isTypeReferenceNode(wrapped) ? wrapped.typeName.getText() : name
}

/**
 * `path:line Class.method` of each public method or accessor of an exported class without a docstring. Those that
 * the class inherits or implements are described by the class or interface that declares them.
 */
function methodsWithoutDocstring(file: ts.SourceFile, shapes: Shapes): string[] {
  return file.statements.filter(ts.isClassDeclaration).flatMap((declared) => {
    const name = exportedName(declared)
    if (name === undefined) return []
    const inherited = new Set<string>()
    for (const { members } of ancestorsOf(declared, shapes)) {
      for (const member of members) inherited.add(member.name?.getText() ?? '')
    }
    return declared.members
      .filter((member) => isPublicMethod(member) && !isDescribed(member))
      .map((member) => [member, member.name!.getText()] as const)
      .filter(([member, title]) => !isOverride(member) && !inherited.has(title))
      .map(([member, title]) => placeOf(member, `${name}.${title}`))
  })
}

function isPublicMethod(member: ts.ClassElement): boolean {
  const { fileName } = member.getSourceFile()
  const is_method =
    ts.isMethodDeclaration(member) ||
    ts.isGetAccessor(member) ||
    (ts.isPropertyDeclaration(member) &&
      member.initializer !== undefined &&
      ts.isArrowFunction(member.initializer) &&
      !fileName.startsWith(OPERATIONS))
  return is_method && !has(member, ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword)
}

/** Its parent may be a class of a library. */
const isOverride = (member: ts.ClassElement): boolean => has(member, ts.SyntaxKind.OverrideKeyword)

function has(member: ts.ClassElement, ...kinds: ts.SyntaxKind[]): boolean {
  const modifiers = ts.canHaveModifiers(member) ? ts.getModifiers(member) : undefined
  return modifiers?.some(({ kind }) => kinds.includes(kind)) ?? false
}

describe('tidy: docstrings', () => {
  it('each export has a docstring', () => {
    expect(sources().flatMap(exportsWithoutDocstring)).deep.equal([])
  })

  it('a missing docstring is found', () => {
    const text =
      '/** Of a. */\nexport class A {}\nexport class B {}\nexport const c = () => 1\n' +
      'export async function d() {}\nexport const e = 1\nfunction f() {}\nexport type G = 1\nexport {}\n'
    expect(exportsWithoutDocstring(parsed('x.ts', text))).deep.equal([
      ...['x.ts:3 B', 'x.ts:4 c', 'x.ts:5 d', 'x.ts:6 e', 'x.ts:8 G'],
    ])
  })

  it('each public method of an exported class has a docstring, there or where it is declared first', () => {
    const files = sources()
    const shapes = shapesOf(files)
    expect(files.flatMap((file) => methodsWithoutDocstring(file, shapes))).deep.equal([])
  })

  it('a method without a docstring is found', () => {
    const text =
      '/** A. */\nexport class A {\n  /** b. */\n  b() {}\n  c() {}\n  get d() { return 1 }\n  private e() {}\n' +
      '  f = () => 1\n  g = 1\n}\nclass H { g() {} }\n'
    const file = parsed('x.ts', text)
    const found = ['x.ts:5 A.c', 'x.ts:6 A.d', 'x.ts:8 A.f']
    expect(methodsWithoutDocstring(file, shapesOf([file]))).deep.equal(found)
    const operations = parsed(`${OPERATIONS}x.ts`, text)
    expect(methodsWithoutDocstring(operations, shapesOf([]))).lengthOf(2)
  })

  it('a method that a class inherits or implements needs no docstring, but its other methods do', () => {
    const text =
      'interface I extends J { a(): void }\ninterface J { b(): void }\nabstract class K { abstract c(): void }\n' +
      'export class L extends K implements Pick<I, "a"> {\n  a() {}\n  b() {}\n  c() {}\n  d() {}\n' +
      '  override e() {}\n}\n'
    const file = parsed('x.ts', text)
    expect(methodsWithoutDocstring(file, shapesOf([file]))).deep.equal(['x.ts:8 L.d'])
  })
})
