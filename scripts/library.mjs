/**
 * What `import 'pronghorn'` loads: one CommonJS file for each entry of `exports`, which `import` and `require`
 * load alike, and the declarations that their types need.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const OUT = 'dist/library'
/** Sources by the name of the file that is made of them. */
const ENTRIES = {
  index: 'src/in_process/index.ts',
  testing: 'src/testing/index.ts',
  config: 'src/project/config.ts',
  vert: 'src/vert/index.ts',
}
/** Loaded by the library itself. */
const INNER = {
  listening: 'src/in_process/listening.ts',
  errors: 'src/engine/errors.ts',
}
/** Modules that all files share, so that there is one class of each name: sources by the file in which they are. */
const SHARED = { 'src/engine/errors.ts': './errors.js' }

/** Makes the files anew: code from the sources, declarations from those that the compiler made in dist/. */
export async function library() {
  const { build } = await import('esbuild')
  rmSync(OUT, { recursive: true, force: true })
  await build({
    entryPoints: { ...ENTRIES, ...INNER },
    outdir: OUT,
    bundle: true,
    // One file for each entry. Test runners that transform modules load CommonJS as it is.
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    charset: 'utf8',
    legalComments: 'inline',
    define: { 'import.meta': 'module_meta' },
    banner: {
      js: "const module_meta = { url: require('node:url').pathToFileURL(__filename).href };",
    },
    // No module of the engine is imported for what it does when it is loaded.
    plugins: [
      {
        name: 'only what is used',
        setup: ({ onResolve, resolve }) =>
          onResolve({ filter: /^\./ }, async ({ path, pluginData, ...args }) => {
            if (pluginData === 'resolved') return undefined
            const found = await resolve(path, { ...args, pluginData: 'resolved' })
            const shared = SHARED[relative('.', found.path)]
            if (shared !== undefined && args.kind !== 'entry-point') {
              return { path: shared, external: true }
            }
            return { ...found, sideEffects: found.path.includes('node_modules') }
          }),
      },
    ],
    logLevel: 'warning',
  })
  writeFileSync(join(OUT, 'package.json'), '{ "type": "commonjs" }\n')
  for (const source of Object.values(ENTRIES)) copyDeclarations(declarationOf(source))
}

function declarationOf(source) {
  return join('dist', source.replace(/\.ts$/, '.d.ts'))
}

/** Copies a declaration and all that its types need. */
function copyDeclarations(first) {
  const waiting = [first]
  const known = new Set(waiting)
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const text = withoutFacade(file, readFileSync(file, 'utf8'))
    for (const [, name] of text.matchAll(RELATIVE)) {
      const imported = fileOf(file, name)
      if (!known.has(imported)) waiting.push(imported)
      known.add(imported)
    }
    const copy = join(OUT, 'types', relative('dist', file))
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(
      copy,
      text.replace(RELATIVE, (found) => found.replace(/\.ts(.)$/, '.js$1')),
    )
  }
}

const RELATIVE = /(?:from |import\()['"](\.[^'"]+)['"]/g
const FACADE = 'dist/src/engine/index.d.ts'
const IMPORT = /^(import|export) (type )?\{([^}]*)\} from '([^']+)';/gm

function fileOf(importer, name) {
  return join(dirname(importer), name).replace(/\.(ts|js)$/, '.d.ts')
}

/** Replaces imports from the facade, which needs the types of the whole engine, by imports from the files that it
 *  passes on. */
function withoutFacade(file, text) {
  return text.replace(IMPORT, (statement, word, type = '', list, from) => {
    if (fileOf(file, from) !== FACADE) return statement
    return list
      .split(',')
      .map((item) => {
        const [, own_type = '', name, as = name] = /^\s*(type )?(\w+)(?: as (\w+))?\s*$/.exec(item)
        const { path, original } = passedOn(name)
        const target = relative(dirname(file), path).replace(/\.d\.ts$/, '.ts')
        const names = original === as ? as : `${original} as ${as}`
        return `${word} ${type || own_type}{ ${names} } from './${target}';`
      })
      .join('\n')
  })
}

/** The file that declares an export of the facade, and its name there. */
function passedOn(name) {
  for (const [, , , list, from] of readFileSync(FACADE, 'utf8').matchAll(IMPORT)) {
    for (const item of list.split(',')) {
      const found = /^\s*(?:type )?(\w+)(?: as (\w+))?\s*$/.exec(item)
      if (found && (found[2] ?? found[1]) === name) {
        return { path: fileOf(FACADE, from), original: found[1] }
      }
    }
  }
  throw new Error(`${FACADE} has no ${name}`)
}
