// `npm run pictures`: takes the pictures in docs/pictures from the running demonstration, in Chromium.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createAdminClient } from '@floe/client'
import { type Browser, chromium } from 'playwright-core'

const pictures = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const executablePath = process.env['FLOE_TEST_CHROMIUM'] ?? '/usr/bin/chromium'
const startLimitMs = 30_000

type Demonstration = { readonly origin: string; readonly key: string }

/** Resolves when the demonstration has printed its address and its administrator's key. */
async function readGuide(child: ChildProcess): Promise<Demonstration> {
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part))
  for (const end = Date.now() + startLimitMs; Date.now() < end;) {
    const [, origin] = /listening on (\S+)/.exec(text) ?? []
    const [, key] = /password (floe_\S+?)\)/.exec(text) ?? []
    if (origin !== undefined && key !== undefined) return { origin, key }
    await once(child.stdout ?? child, 'data', { signal: AbortSignal.timeout(startLimitMs) })
  }
  throw new Error('the demonstration does not start')
}

/** Adds a webhook and a chat for the settings page. The head is recorded before, so nothing is sent to them. */
async function addReceivers({ origin, key }: Demonstration): Promise<void> {
  const admin = createAdminClient({ baseUrl: `${origin}/v1`, org: 'acme', apiKey: key })
  await admin.repositories.refresh({ repo: 'weather' })
  const url = 'https://pipeline.example.org/floe'
  await admin.receivers.create({ repo: 'weather' }, { kind: 'webhook', url, alias: 'pipeline', events: ['NewCommit'] })
  const chat = { kind: 'chat', url: 'https://chat.example.org/hooks/secret', service: 'mattermost' } as const
  await admin.receivers.create({ repo: 'weather' }, { ...chat, alias: 'forecast team', events: ['NewCommit'] })
}

async function takePictures(browser: Browser, { origin, key }: Demonstration): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 800 },
    httpCredentials: { username: 'acme', password: key },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const meta = `${origin}/v1/services/demo/acme/_meta`
  await page.goto(`${meta}/datasets/weather/main/forecast`)
  await page.locator('summary', { hasText: 'precipitation' }).click()
  await page.screenshot({
    path: `${pictures}dataset.png`,
    fullPage: true,
    clip: { x: 0, y: 0, width: 1200, height: 1240 },
  })
  await page.goto(`${meta}/history/weather/main`)
  await page.screenshot({ path: `${pictures}history.png`, clip: { x: 0, y: 0, width: 1200, height: 800 } })
  await page.goto(`${meta}/diff/weather/v1.0/main`)
  await page.screenshot({
    path: `${pictures}changes.png`,
    fullPage: true,
    clip: { x: 0, y: 0, width: 1200, height: 900 },
  })
  await page.goto(`${origin}/v1/orgs/acme/repos/weather/settings`)
  await page.getByRole('heading', { name: 'pipeline' }).waitFor()
  // Below the head of main, which shows a path of this machine.
  await page.screenshot({ path: `${pictures}settings.png`, clip: { x: 0, y: 300, width: 1200, height: 460 } })
}

const demonstration = fileURLToPath(new URL('demonstration.ts', import.meta.url))
const child = spawn(process.execPath, [...process.execArgv, demonstration], {
  env: { ...process.env, FLOE_LISTEN_PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const running = await readGuide(child)
  await addReceivers(running)
  // No sandbox, because containers run as root.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    await takePictures(browser, running)
  } finally {
    await browser.close()
  }
} finally {
  child.kill('SIGTERM')
}
