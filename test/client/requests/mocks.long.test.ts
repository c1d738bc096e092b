// The client in a test that mocks requests with msw, which is installed for it.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createClient } from '@floe/client'
import { t } from 'tap'
import { installFromNpm } from '../../generators/install.ts'

t.setTimeout(900_000)

const { root, skip } = await installFromNpm('msw', ['msw@3.0.5'])

t.test('msw answers the requests of a client that was created before', { skip }, async (t) => {
  const origin = 'https://floe.example.org'
  const floe = createClient({ baseUrl: `${origin}/v1`, deployment: 'tiles', org: 'acme' })
  const require = createRequire(join(root, 'package.json'))
  const { http, HttpResponse } = require('msw')
  const { setupServer } = require('msw/node')
  const path = `${origin}/v1/services/tiles/acme/_meta`
  const event = 'id: 4\nevent: Other\ndata: {}\n\n'
  const mocks = setupServer(
    http.get(`${path}/discovery`, () => HttpResponse.json(['mocked'])),
    http.get(`${path}/events`, () => new HttpResponse(event, { headers: { 'content-type': 'text/event-stream' } })),
  )
  mocks.listen({ onUnhandledRequest: 'error' })
  t.teardown(() => mocks.close())
  t.strictSame(await floe.repositories(), ['mocked'])
  const onReconnect = (error: Error) => {
    throw error
  }
  await t.rejects(floe.events({}, { onReconnect }).next(), { message: /the stream ended$/ })
})
