/** Small changes of a source that its tests should notice. */
import ts from 'typescript'

/** One change of one file: the text from `start` to `end` becomes `replacement`. */
export interface Mutation {
  start: number
  end: number
  replacement: string
  /** Where it is, counted from one. */
  line: number
  /** What it changes, for the report. */
  text: string
}

const FLIPS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}

/** Functions that refuse what breaks a rule; a call of one is left out. */
const CHECKS = /^(check|fail|require|assert|refuse)([A-Z]\w*)?$/

/** All changes of a source, in the order of their places. */
export function mutationsOf(source: string): Mutation[] {
  const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest, true)
  const found: Mutation[] = []
  const add = (node: ts.Node, replacement: string): void => {
    const start = node.getStart(file)
    const line = file.getLineAndCharacterOfPosition(start).line + 1
    const before = shortened(node.getText(file))
    found.push({
      ...{ start, end: node.end, replacement, line },
      text: `${before} -> ${replacement === '' ? 'nothing' : replacement}`,
    })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return
    if (ts.isBinaryExpression(node)) {
      const flipped = FLIPS[node.operatorToken.getText(file)]
      if (flipped !== undefined) add(node.operatorToken, flipped)
    } else if (ts.isNumericLiteral(node)) {
      add(node, `(${node.getText(file)} + 1)`)
    } else if (ts.isBigIntLiteral(node)) {
      add(node, `(${node.getText(file)} + 1n)`)
    } else if (isCheck(node)) {
      add(node, ';')
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found.sort((a, b) => a.start - b.start)
}

/** The source with the change. */
export function mutated(source: string, { start, end, replacement }: Mutation): string {
  return source.slice(0, start) + replacement + source.slice(end)
}

function isCheck(node: ts.Node): boolean {
  if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return false
  const called = node.expression.expression
  const name = ts.isPropertyAccessExpression(called) ? called.name : called
  return ts.isIdentifier(name) && CHECKS.test(name.text)
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
