/** The documentation page as readers see it, on a wide screen and on a phone, without a network. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { generateDocs } from '../../scripts/codegen/docs.ts'
import { generateGuides } from '../../scripts/codegen/guides.ts'
import { operations, root } from '../contract/support.ts'
import { TestNode } from '../support/test_node.ts'
import { noBrowser, startBrowser, watchedPage, type WatchedPage } from './browser.ts'

const WIDE = { width: 1400, height: 900 }
const PHONE = { width: 390, height: 844 }

const GROUPS = {
  chain: 'Chain',
  producer: 'Producer',
  net: 'Network',
  node: 'Node',
  dev: 'Development',
  db_size: 'State size',
}

const menuOf = (page: Page) => page.locator('[data-component-name="Menu/MenuItem"]')
const headingOf = (page: Page, name: string) =>
  page.locator(`h2:has([aria-label="link to ${name}"])`)

describe('the documentation in a browser', () => {
  const documents = mkdtempSync(join(tmpdir(), 'pronghorn-docs-'))
  let node: TestNode
  let browser: Browser
  let watched: WatchedPage

  before(async function () {
    const reason = noBrowser()
    if (reason !== undefined) {
      console.log(`      skipped: ${reason}`)
      return this.skip()
    }
    const pages = [['/docs', generateDocs(root)] as const, ...generateGuides(root)]
    mkdirSync(join(documents, 'docs/guides'), { recursive: true })
    for (const [path, page] of pages) writeFileSync(join(documents, `${path}.html`), page)
    node = await TestNode.start({ documents })
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await node?.stop()
    rmSync(documents, { recursive: true })
  })
  afterEach(async () => {
    const { page, errors, elsewhere } = watched
    await page.context().close()
    expect(errors, 'errors of the page').deep.equal([])
    expect(elsewhere, 'asked of other machines').deep.equal([])
  })

  /** Opens the page at a place in it. */
  async function open(viewport: typeof WIDE, place = ''): Promise<Page> {
    watched = await watchedPage(browser, viewport)
    const answer = await watched.page.goto(`${node.url}/docs${place}`)
    expect(answer?.status()).equal(200)
    return watched.page
  }

  it('names itself, and every operation in its menu', async () => {
    const page = await open(WIDE)
    expect(await page.title()).equal('pronghorn: HTTP interface')
    for (const [group, title] of Object.entries(GROUPS)) {
      await menuOf(page).getByText(title, { exact: true }).click()
      for (const { name } of operations.filter((operation) => operation.group === group)) {
        await menuOf(page).getByText(name, { exact: true }).first().waitFor({ state: 'visible' })
      }
    }
  })

  it('leads to an operation with its examples, by a link that lasts', async () => {
    const page = await open(WIDE)
    await menuOf(page).getByText(GROUPS.producer, { exact: true }).click()
    await menuOf(page).getByText('pause_at_block', { exact: true }).click()
    const heading = headingOf(page, 'pause_at_block')
    await heading.waitFor({ state: 'visible' })
    expect(new URL(page.url()).pathname).equal('/docs')
    await page.reload()
    await heading.waitFor({ state: 'visible' })
    await page.getByText('invalid_pause_at_block_request').first().waitFor({ state: 'visible' })
    await page.getByText('"block_num"').first().waitFor({ state: 'visible' })
  })

  it('unfolds what a request holds', async () => {
    const page = await open(WIDE, '#/chain/send_transaction2')
    await headingOf(page, 'send_transaction2').waitFor({ state: 'visible' })
    await page.getByText('Show details').first().click()
    await page.getByText('[i]', { exact: true }).first().waitFor({ state: 'visible' })
  })

  it('finds an operation', async () => {
    const page = await open(WIDE)
    await page.getByText('Search', { exact: false }).first().click()
    await page.keyboard.type('integrity')
    await page.getByText('get_integrity_hash').first().waitFor({ state: 'visible' })
  })

  it('leads to the guides, which fit a wide screen and a phone', async () => {
    const page = await open(PHONE)
    await page.getByRole('link', { name: 'guides', exact: true }).click()
    await page.getByRole('link', { name: 'Send a transaction with wharfkit' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'visible' })
    expect(await page.title()).equal('pronghorn: Send a transaction with wharfkit')
    for (const viewport of [PHONE, WIDE]) {
      await page.setViewportSize(viewport)
      expect(await page.evaluate('document.scrollingElement.scrollWidth')).equal(viewport.width)
    }
    await page.getByRole('link', { name: 'HTTP interface' }).click()
    await page.getByRole('link', { name: 'guides', exact: true }).waitFor({ state: 'visible' })
    expect(await page.title()).equal('pronghorn: HTTP interface')
  })

  it('fits a phone, with its menu behind a button', async () => {
    const page = await open(PHONE, '#/chain/get_table_rows')
    const heading = headingOf(page, 'get_table_rows')
    await heading.waitFor({ state: 'visible' })
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).equal(PHONE.width)
    await page.getByRole('button', { name: 'Open navigation menu' }).click()
    await page
      .getByText('get_finalizer_info', { exact: true })
      .first()
      .waitFor({ state: 'visible' })
  })
})
