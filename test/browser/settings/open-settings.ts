// The settings pages of a repository whose head can be moved, and of its organisation. The server delivers to receivers
// on loopback.
import { copyFile, cp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { HostNotFoundError } from '@floe/storage/addresses'
import { openLocalStore } from '@floe/storage/objects'
import type { Locator, Page } from 'playwright-core'
import type { Test } from 'tap'
import { startAdministration } from '../../server/administration/start-administration.ts'
import { readHistory } from '../../server/notifications/fixture-histories.ts'
import type { RunningServer, ServerOptions } from '../../server/start-server.ts'
import { openBrowser, openPage } from '../open-browser.ts'

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
 * @param path - below the address of the organisation; default the repository `ocean`
 */
export async function openSettings(t: Test, options: ServerOptions = {}, path = '/repos/ocean'): Promise<OpenSettings> {
  const { directory, commit } = await makeMovableRepository(t)
  const server = await startAdministration(t, {
    sources: [{ kind: 'scan', store: openLocalStore(directory) }],
    // Host names do not resolve, as a misspelt one would not.
    resolveHost: () => Promise.reject(new HostNotFoundError('no such host')),
    ...options,
  })
  await server.notifier.start()
  // Records the first head, so that the next commit is a head move.
  await server.administer('POST', 'repos/ocean/refresh')
  const httpCredentials = { username: 'acme', password: server.adminKey }
  const { page, faults } = await openPage(await openBrowser(t), { httpCredentials })
  await page.goto(`${server.org}${path}/settings`)
  // The page loads the deliveries last. Once they are there, so is everything else.
  await page.getByRole('region', { name: 'Deliveries' }).locator('li, .empty').first().waitFor()
  const addWebhook = async (url: string, members = {}) => {
    const body = { kind: 'webhook', url, alias: 'pipeline', events: ['NewCommit'], ...members }
    return (await (await server.administer('POST', 'repos/ocean/receivers', body)).json()).id
  }
  return { server, page, faults, commit, addWebhook }
}

/** Makes a repository from two states that official Icechunk wrote. Each `commit` replaces one by the other. */
async function makeMovableRepository(t: Test) {
  const directory = t.testdir()
  const ocean = join(directory, 'ocean')
  const states = await Promise.all(['expired', 'reset'].map(readHistory))
  for (const state of states) await cp(state.directory, ocean, { recursive: true })
  let moves = 0
  const commit = async () => {
    const next = states[moves++ % states.length]?.directory ?? ''
    // A rename replaces the object at once, as an object store does.
    await copyFile(join(next, 'repo'), join(directory, 'next'))
    await rename(join(directory, 'next'), join(ocean, 'repo'))
  }
  return { directory, commit }
}

/** Lets a page ask at once what others have changed, in place of after its usual interval. */
export function poll(page: Page): Promise<unknown> {
  return page.evaluate(`dispatchEvent(new Event('online'))`)
}

/** A button of the dialog that is open. */
export function inDialog(page: Page, name: string): Locator {
  return page.getByRole('dialog').getByRole('button', { name, exact: true })
}

/** Whether an element has the focus. */
export function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((node) => node === document.activeElement)
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
