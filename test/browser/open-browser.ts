// Debian's Chromium, driven by playwright-core. Tests that need it are skipped, with the reason printed, where there is none.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { t as file, type Test } from 'tap'

const executablePath = process.env['FLOE_TEST_CHROMIUM'] ?? '/usr/bin/chromium'

/** What a tap test takes as `skip`: a reason, or false. */
export const withoutBrowser: string | false = existsSync(executablePath)
  ? false
  : `no Chromium at ${executablePath} (Debian: apt-get install chromium; elsewhere set FLOE_TEST_CHROMIUM)`

// No sandbox, because CI runs as root; no background networking, because tests stay on this machine.
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync']

/** Longer than a page's own looks are apart, also on a machine that has much else to do. */
const patienceMs = 60_000
// A file of stories takes a minute on such a machine, and its limit must not end it before a wait of one story does.
file.setTimeout(600_000)

/** One process serves a whole test file. */
let launched: Promise<Browser> | undefined

/** The browser. What the test opens in it shares nothing with other tests, and is gone with the test. */
export async function openBrowser(t: Test): Promise<Browser> {
  launched ??= launch()
  const browser = await launched
  // The tests of a file run one after the other, so that all contexts are those of this test.
  t.teardown(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args, timeout: patienceMs })
  file.teardown(() => browser.close())
  return browser
}

/** A page and what went wrong in it: script errors, refusals by the content security policy, failed requests. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ readonly page: Page; readonly faults: string[] }> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(patienceMs)
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // A page ends its own requests, at the latest when it is left.
    if (reason !== 'net::ERR_ABORTED') faults.push(`${request.url()} ${reason}`)
  })
  return { page, faults }
}
