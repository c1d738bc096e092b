// What tests of programs that use the client get: answers of each route, alone and from msw.
import { createAdminClient, createClient } from '@floe/client'
import { answers, createProblem } from '@floe/client/testing'
import { createHandlers, listHandlers } from '@floe/client/testing/msw'
import { problemDefinitions } from '@floe/contract'
import { setupServer } from 'msw/node'
import { t, type Test } from 'tap'
import { findErrors } from '../../../client/check-value.ts'
import * as contractRoutes from '../../../client/generated/routes.ts'

const { snapshotHeader: _, events: _events, ...routes } = contractRoutes
const baseUrl = 'https://floe.example.org/v1'
const floe = createClient({ baseUrl, deployment: 'demo', org: 'acme', retries: 0 })
const group = { repo: 'weather', ref: 'main', group: 'wind/speed' }

/** Answers requests until the test ends. Others fail. */
function answerWith(t: Test, ...handlers: Parameters<typeof setupServer>) {
  const server = setupServer(...handlers)
  server.listen({ onUnhandledFrame: 'error' })
  t.teardown(() => server.close())
  return server
}

t.test('there is an answer of each route, which the client accepts', async (t) => {
  for (const [resource, examples] of Object.entries(answers)) {
    const table: Readonly<Record<string, contractRoutes.Route<unknown>>> = routes[resource as keyof typeof answers]
    t.strictSame(Object.keys(examples), Object.keys(table), resource)
    for (const [name, example] of Object.entries<() => unknown>(examples)) {
      const schema = table[name]?.answer
      if (schema === undefined) t.equal(example(), undefined)
      else t.strictSame(findErrors(schema, example()), [], `${resource}.${name}`)
    }
  }
  t.strictSame(Object.keys(answers).sort(), Object.keys(routes).sort())
  const changed = answers.discovery.refs()
  changed.branches.push('another')
  t.notMatch(answers.discovery.refs(), changed, 'each answer is a new one')
})

t.test('handlers answer each route in place of a service', async (t) => {
  answerWith(t, ...listHandlers(baseUrl))
  t.strictSame(await floe.repositories(), answers.discovery.repositories())
  t.strictSame(await floe.info({ repo: 'weather', ref: 'feature/one' }), answers.datasets.info())
  t.strictSame(await floe.keys(group), answers.datasets.groupKeys())
  t.match(await floe.versioned.dict(group), { isModified: true, value: answers.datasets.groupDict() })
  t.strictSame(await Array.fromAsync(floe.search({ q: 'wind' })), answers.search.get().results, 'one page')
  t.strictSame(await Array.fromAsync(floe.history(group)), answers.history.commits().commits)
  t.strictSame(await floe.diff({ repo: 'weather', from: 'v1', to: 'main' }), answers.diff.get())
  for await (const { id, notification } of floe.events({ repo: 'weather' })) {
    t.match([id, notification.event], ['1', 'NewCommit'])
    break
  }
  const { receivers } = createAdminClient({ baseUrl, org: 'acme', apiKey: 'key' })
  const { id } = answers.receivers.get()
  t.strictSame((await receivers.get({ repo: 'weather', id })).value, answers.receivers.get())
  t.equal(await receivers.delete({ repo: 'weather', id }), undefined)
})

t.test('a handler answers what a test says, or refuses', async (t) => {
  const { datasets, discovery, events } = createHandlers(baseUrl)
  const info = { ...answers.datasets.info(), dimensions: { time: 3 } }
  const server = answerWith(t, datasets.groupInfo.answer(info), discovery.refs.refuse('repository-not-found'))
  t.strictSame(await floe.info(group), info)
  await t.rejects(floe.refs({ repo: 'nowhere' }), {
    code: 'repository-not-found',
    status: 404,
    problem: createProblem('repository-not-found'),
  })
  server.use(discovery.refs.refuse('unavailable', 'The service is stopping'), events.stream.refuse('events-gone'))
  await t.rejects(floe.refs({ repo: 'weather' }), {
    code: 'unavailable',
    status: 503,
    problem: { detail: 'The service is stopping' },
  })
  await t.rejects(floe.events({ after: '1' }).next(), { code: 'events-gone' })
  t.throws(() => createHandlers('https://floe.example.org'), { name: 'TypeError' })
})

t.test('there is a problem for each code', async (t) => {
  for (const [code, { status, title }] of Object.entries(problemDefinitions))
    t.match(createProblem(code as keyof typeof problemDefinitions), { code, status, title, type: `/problems/${code}` })
})
