/** Debian's Chromium, as tests look at pages with it: nothing but this machine is reached. */
import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'

/** Why there is no browser here; undefined: there is one. In CI, which sets BROWSER_REQUIRED, there must be. */
export function noBrowser(): string | undefined {
  if (existsSync(CHROMIUM)) return undefined
  if (process.env['BROWSER_REQUIRED'] !== undefined) throw new Error(`${CHROMIUM} is not installed`)
  return `${CHROMIUM} is not installed`
}

export function startBrowser(): Promise<Browser> {
  // There is no user to protect from the page, and the sandbox does not start for root.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
}

/** A page, and what it did that it should not have. */
export interface WatchedPage {
  page: Page
  /** Errors that were thrown, or told to the console. */
  errors: string[]
  /** What was asked of other machines; it got no answer. */
  elsewhere: string[]
}

export async function watchedPage(
  browser: Browser,
  viewport: { width: number; height: number },
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport })
  const errors: string[] = []
  const elsewhere: string[] = []
  await context.route('**/*', (route) => {
    const url = route.request().url()
    if (/^(data|blob):/.test(url) || new URL(url).hostname === '127.0.0.1') return route.continue()
    elsewhere.push(url)
    return route.abort()
  })
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  return { page, errors, elsewhere }
}
