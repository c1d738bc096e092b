// The client in a page whose origin is not that of the service.
import { fileURLToPath } from 'node:url'
import type * as FloeClient from '@floe/client'
import { t, type Test } from 'tap'
import { build, defaultClientConditions } from 'vite'
import { recordEvent } from '../client/record-event.ts'
import { startPlainServer } from '../client/start-plain-server.ts'
import { readExpectedAnswers } from '../server/expected-answers.ts'
import { startServer } from '../server/start-server.ts'
import { openBrowser, openPage, withoutBrowser } from './open-browser.ts'

/** Bundles the client as one script for browsers. */
async function bundleClient(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['@floe/source', ...defaultClientConditions] },
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL('../../client/index.ts', import.meta.url)), formats: ['es'] },
    },
  })
  const [output] = [result].flat()
  if (output === undefined || !('output' in output)) throw new Error('the bundler made nothing')
  return output.output[0].code
}

/** Starts an application that serves the client from its own origin. */
async function startApplication(t: Test): Promise<string> {
  const script = await bundleClient()
  return startPlainServer(t, (request, response) => {
    if (request.url === '/client.js') response.setHeader('content-type', 'text/javascript').end(script)
    else response.setHeader('content-type', 'text/html').end('<!doctype html><title>Application</title>')
  })
}

/** Runs in the page: reads a deployment in several ways, and returns the results. */
const read = async ([baseUrl, deployment, apiKey]: readonly [string, string, string | undefined]) => {
  // The bundle is a module of the page, which the compiler does not know.
  const { createClient } = (await import(/* @vite-ignore */ `${location.origin}/client.js`)) as typeof FloeClient
  const floe = createClient({ baseUrl, deployment, org: 'acme', apiKey, retries: 0 })
  const names = { repo: 'weather', ref: 'main', group: 'wind/speed' }
  const nameOf = (error: unknown) => (error instanceof Error ? error.name : String(error))
  try {
    const first = await floe.versioned.keys(names)
    const again = await floe.versioned.keys(names, { ifNoneMatch: first.etag })
    const missing = await floe.refs({ repo: 'nope' }).catch((error: unknown) => String(error))
    return { first, again, missing }
  } catch (error) {
    return { failure: nameOf(error) }
  }
}

t.test('a page of another origin reads what it may, and nothing else', { skip: withoutBrowser }, async (t) => {
  const [listed, stranger] = await Promise.all([startApplication(t), startApplication(t)])
  const server = await startServer(t, { corsOrigins: [listed] })
  const { branches } = await readExpectedAnswers('weather')
  const browser = await openBrowser(t)
  const readFrom = async (origin: string, deployment: string, apiKey?: string) => {
    const { page } = await openPage(browser)
    await page.goto(origin)
    return page.evaluate(read, [`${server.origin}/v1`, deployment, apiKey] as const)
  }
  const keys = await (await server.get('datasets/weather/main/wind/speed/keys')).json()
  const snapshotId = branches['main']
  const everything = {
    first: { isModified: true, value: keys, snapshotId, etag: /^"/ },
    again: { isModified: false, snapshotId, etag: /^"/ },
    missing: /acme has no repository called "nope"/,
  }
  t.match(await readFrom(listed, 'open'), everything, 'public, from a listed origin')
  t.match(await readFrom(stranger, 'open'), everything, 'public, from any origin')
  t.match(await readFrom(listed, 'tiles', server.apiKey), everything, 'private, from a listed origin')
  t.strictSame(
    await readFrom(listed, 'tiles'),
    { failure: 'ProblemResponseError' },
    'private, without a key: 401 is readable',
  )
  t.strictSame(await readFrom(stranger, 'tiles', server.apiKey), { failure: 'NetworkError' }, 'private, from any other')
})

t.test('a page of another origin follows the events of a private deployment', { skip: withoutBrowser }, async (t) => {
  const listed = await startApplication(t)
  const server = await startServer(t, { corsOrigins: [listed] })
  for (const message of ['A', 'B', 'C']) await recordEvent(server.db, 'weather', message)
  const { page } = await openPage(await openBrowser(t))
  await page.goto(listed)
  const seen = await page.evaluate(
    async ([baseUrl, apiKey]) => {
      // The bundle is a module of the page, which the compiler does not know.
      const { createClient } = (await import(/* @vite-ignore */ `${location.origin}/client.js`)) as typeof FloeClient
      const floe = createClient({ baseUrl, deployment: 'tiles', org: 'acme', apiKey })
      const messages: string[] = []
      for await (const { id, notification } of floe.events({ after: '1' }, { signal: AbortSignal.timeout(60_000) })) {
        messages.push(notification.details.commit_message)
        if (id === '3') break
      }
      return messages
    },
    [`${server.origin}/v1`, server.apiKey] as const,
  )
  t.strictSame(seen, ['B', 'C'])
})

t.test(
  'administration cannot be read from another origin, not even from a listed one',
  { skip: withoutBrowser },
  async (t) => {
    const listed = await startApplication(t)
    const server = await startServer(t, { corsOrigins: [listed] })
    const { page } = await openPage(await openBrowser(t))
    await page.goto(listed)
    const outcome = await page.evaluate(
      async ([baseUrl, apiKey]) => {
        const { createAdminClient } = (await import(
          /* @vite-ignore */ `${location.origin}/client.js`
        )) as typeof FloeClient
        const floe = createAdminClient({ baseUrl, org: 'acme', apiKey, retries: 0 })
        return floe.keys.listPage().then(
          () => 'read',
          (error: unknown) => (error instanceof Error ? error.name : ''),
        )
      },
      [`${server.origin}/v1`, server.adminKey] as const,
    )
    t.equal(outcome, 'NetworkError')
  },
)
