// Debian's Chromium, driven by playwright-core. Without it, the tests that need it are skipped, and say why.
// `chromium-headless-shell` is Chromium without windows and menus. It takes half of the processor time.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { t as file, type Test } from 'tap'

const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const executablePath = process.env['FLOE_TEST_CHROMIUM'] ?? browsers.find((path) => existsSync(path)) ?? ''

/** The `skip` option of a tap test: a reason, or false. */
export const withoutBrowser: string | false = existsSync(executablePath)
  ? false
  : 'no Chromium (Debian: apt-get install chromium-headless-shell; elsewhere set FLOE_TEST_CHROMIUM)'

// No sandbox, because CI runs as root; no background networking, because tests stay on this machine.
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync']

/**
 * Longer than the interval between two polls of a page. Swagger UI takes 3 s, and has taken more than a minute on a
 * slow machine that ran other tests too.
 */
const timeoutMs = 180_000
// A file takes a minute, and has taken six. Its time limit must be longer than that of a single wait.
file.setTimeout(900_000)

/** The browser of this test file. */
let launched: Promise<Browser> | undefined

/** Opens the browser. All that a test opens in it is closed at the end of the test. */
export async function openBrowser(t: Test): Promise<Browser> {
  launched ??= launch()
  const browser = await launched
  // The tests of a file run one after another, so all contexts belong to this test.
  t.teardown(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args, timeout: timeoutMs })
  file.teardown(() => browser.close())
  return browser
}

/** Opens a page. `faults` collects script errors, refusals by the content security policy and failed requests. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ readonly page: Page; readonly faults: string[] }> {
  // Chromium with windows lets pages write to the clipboard after a click; its headless shell does so only with this.
  const context = await browser.newContext({ permissions: ['clipboard-write'], ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(timeoutMs)
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // A page aborts its own requests, for example when the browser leaves it.
    if (reason !== 'net::ERR_ABORTED') faults.push(`${request.url()} ${reason}`)
  })
  return { page, faults }
}
