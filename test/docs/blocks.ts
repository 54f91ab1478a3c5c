/** The fenced blocks of a guide, in order. */

export interface Block {
  /** `sh`: commands. `js` and `ts`: a file of that name. `json`, `text`: what the commands before print. */
  language: 'sh' | 'js' | 'ts' | 'json' | 'text'
  /** The file that a reader makes of it. */
  name: string | undefined
  text: string
  /** Where it begins. */
  line: number
}

/** A mark that a reader does not see: the node is stopped here, as the text around it says. */
export interface Stop {
  stop: true
  line: number
}

const LANGUAGES = ['sh', 'js', 'ts', 'json', 'text']

/** Takes a guide apart. Throws where a block is of no known language, or does not end. */
export function blocksOf(markdown: string): (Block | Stop)[] {
  const steps: (Block | Stop)[] = []
  let open: (Block & { lines: string[] }) | undefined
  markdown.split('\n').forEach((text, index) => {
    const line = index + 1
    const [, language, name] = /^```(\w*) ?(\S*)$/.exec(text) ?? []
    if (open) {
      if (text !== '```') return void open.lines.push(text)
      const { lines, ...block } = open
      steps.push({ ...block, text: lines.join('\n') })
      open = undefined
    } else if (text === '<!-- stop -->') {
      steps.push({ stop: true, line })
    } else if (language !== undefined) {
      if (!LANGUAGES.includes(language)) throw new Error(`line ${line}: a block of "${language}"`)
      const named = name === '' ? undefined : name
      open = { language: language as Block['language'], name: named, text: '', line, lines: [] }
    }
  })
  if (open) throw new Error(`the block at line ${open.line} does not end`)
  return steps
}

/**
 * Whether a text is the one that is shown: white space does not count, for readers like it and
 * programs do not, and `…` stands for anything.
 */
export function isShown(shown: string, text: string): boolean {
  const bare = (t: string) => t.replace(/\s+/g, '')
  const parts = bare(shown)
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*?')}$`).test(bare(text))
}
