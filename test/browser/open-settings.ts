// The settings pages of a repository that can be committed to, and of its organisation, on a server that delivers to receivers on loopback.
import { copyFile, cp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { openLocalStore } from '@floe/storage/objects'
import type { Locator, Page } from 'playwright-core'
import type { Test } from 'tap'
import { startAdministration } from '../server/administration/start-administration.ts'
import { readHistory } from '../server/notifications/fixture-histories.ts'
import type { RunningServer, ServerOptions } from '../server/start-server.ts'
import { openBrowser, openPage } from './open-browser.ts'

/** What a test of the page works with. */
export type OpenSettings = {
  readonly server: RunningServer
  readonly page: Page
  /** Script errors, refusals by the content security policy, failed requests. */
  readonly faults: string[]
  /** Moves the head of `main` of the repository `ocean`. */
  readonly commit: () => Promise<void>
  /** Saves a webhook called `pipeline`, unless `members` say otherwise, and returns its id. */
  readonly addWebhook: (url: string, members?: Readonly<Record<string, unknown>>) => Promise<string>
}

/**
 * Opens a settings page as an administrator.
 *
 * @param place - below the address of the organisation; default the repository `ocean`
 */
export async function openSettings(
  t: Test,
  options: ServerOptions = {},
  place = '/repos/ocean',
): Promise<OpenSettings> {
  const { directory, commit } = await movableRepository(t)
  const server = await startAdministration(t, {
    sources: [{ kind: 'scan', store: openLocalStore(directory) }],
    // Other names than 127.0.0.1 lead nowhere, as in a typing error.
    resolveHost: () => Promise.reject(new Error('no such host')),
    ...options,
  })
  await server.notifier.start()
  // Only what comes after the first head that was seen is a move.
  await server.administer('POST', 'repos/ocean/refresh')
  const httpCredentials = { username: 'acme', password: server.adminKey }
  const { page, faults } = await openPage(await openBrowser(t), { httpCredentials })
  await page.goto(`${server.org}${place}/settings`)
  // The log is asked for last. When it has entries, or says that it has none, all else is there too.
  await page.getByRole('region', { name: 'Deliveries' }).locator('li, .empty').first().waitFor()
  const addWebhook = async (url: string, members = {}) => {
    const body = { url, alias: 'pipeline', events: ['NewCommit'], ...members }
    return (await (await server.administer('POST', 'repos/ocean/webhooks', body)).json()).id
  }
  return { server, page, faults, commit, addWebhook }
}

/** Two states of one repository as official Icechunk wrote them; each commit brings the other one. */
async function movableRepository(t: Test) {
  const directory = t.testdir()
  const ocean = join(directory, 'ocean')
  const states = await Promise.all(['expired', 'reset'].map(readHistory))
  for (const state of states) await cp(state.directory, ocean, { recursive: true })
  let moves = 0
  const commit = async () => {
    const next = states[moves++ % states.length]?.directory ?? ''
    // As a store does it: all at once.
    await copyFile(join(next, 'repo'), join(directory, 'next'))
    await rename(join(directory, 'next'), join(ocean, 'repo'))
  }
  return { directory, commit }
}

/** A button of the dialog that is open. */
export function inDialog(page: Page, name: string): Locator {
  return page.getByRole('dialog').getByRole('button', { name, exact: true })
}

/** Whether an element has the focus. */
export function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((one) => one === document.activeElement)
}

/** Opens the form of a new webhook, and types values into it. */
export async function openForm(page: Page, values: Readonly<Record<string, string>> = {}): Promise<void> {
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await fillIn(page, values)
}

/** Types values into the controls with these labels. */
export async function fillIn(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
}
