import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface WrkResult {
  requests_per_second: number
  /** Answers that were not 2xx. */
  failures: number
}

export interface CountedResult extends WrkResult {
  answered: number
  duration_s: number
}

export function hasWrk(): boolean {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' })
    return true
  } catch (error) {
    // wrk -v prints its version and exits with 1.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** Asks the same question again and again. */
export async function wrkRequest(url: string, body: string, seconds: number): Promise<WrkResult> {
  const script = `wrk.method = "POST"\nwrk.body = ${luaString(body)}\nwrk.headers["Content-Type"] = "application/json"\n`
  return parse(await wrk(url, script, seconds))
}

/** Sends each line of a file once, from one thread; ends early when the lines are used up. */
export async function wrkLines(url: string, file: string, seconds: number): Promise<CountedResult> {
  const script = `
    local lines, i = {}, 0
    for line in io.lines(${luaString(file)}) do lines[#lines + 1] = line end
    wrk.method = "POST"
    function request()
      i = i + 1
      if i > #lines then wrk.thread:stop(); i = #lines end
      return wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, lines[i])
    end
  `
  return counted(await wrk(url, script, seconds))
}

/** Asks the questions of a file, one a line, again and again. */
export async function wrkQuestions(
  url: string,
  file: string,
  seconds: number,
): Promise<CountedResult> {
  const script = `
    local lines, i = {}, 0
    function init()
      wrk.headers["Content-Type"] = "application/json"
      for line in io.lines(${luaString(file)}) do
        lines[#lines + 1] = wrk.format("POST", nil, nil, line)
      end
    end
    function request()
      i = i % #lines + 1
      return lines[i]
    end
  `
  return counted(await wrk(url, script, seconds))
}

function counted(text: string): CountedResult {
  const [, answered = '0', duration = '1s'] = /(\d+) requests in ([\d.]+m?s)/.exec(text) ?? []
  const duration_s = parseFloat(duration) / (duration.endsWith('ms') ? 1000 : 1)
  return { ...parse(text), answered: Number(answered), duration_s }
}

async function wrk(url: string, script: string, seconds: number): Promise<string> {
  const file = join(tmpdir(), `pronghorn-wrk-${process.pid}.lua`)
  writeFileSync(file, script)
  const { stdout } = await run('wrk', ['-t1', '-c16', `-d${seconds}s`, '-s', file, url])
  return stdout
}

function parse(text: string): WrkResult {
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]
  if (!rate) throw new Error(`wrk said: ${text}`)
  const failures = /Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? '0'
  return { requests_per_second: Number(rate), failures: Number(failures) }
}

function luaString(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`
}
