// A newer service may send values that this version of the client does not know, where the contract lists values.
import { createAdminClient, parseNotification } from '@floe/client'
import { contract, createNotificationSchema, Problem } from '@floe/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { t } from 'tap'
import { z } from 'zod'
import { createTestClient } from './create-test-client.ts'
import { startPlainServer } from './start-plain-server.ts'

const examples = (schema: z.ZodType) => z.array(z.any()).parse(schema.meta()?.['examples'])

/** Starts a service that answers with this JSON. */
async function answer(t: Parameters<typeof startPlainServer>[0], body: unknown, status = 200) {
  const type = status === 200 ? 'application/json' : 'application/problem+json'
  return startPlainServer(t, (_, response) => {
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
  })
}

t.test('new values of listed members reach the caller', async (t) => {
  const [repository] = examples(contract.history.repository.responses[200])
  const changed = { ...repository, format_version: 3, status: { ...repository.status, availability: 'archived' } }
  const floe = createTestClient({ origin: await answer(t, changed) })
  const { status, format_version } = await floe.repository({ repo: 'weather' })
  t.strictSame([status.availability, format_version], ['archived', 3])

  const [page] = examples(contract.history.operations.responses[200])
  const operations = [{ ...page.operations[0], kind: 'tag_moved' }]
  const log = createTestClient({ origin: await answer(t, { ...page, operations, operations_unavailable_reason: 'x' }) })
  t.match(await log.operationsPage({ repo: 'weather' }), { operations, operations_unavailable_reason: 'x' })

  const [diff] = examples(contract.diff.get.responses[200])
  const origin = await answer(t, { ...diff, chunks: null, chunks_unavailable_reason: 'expired' })
  const { chunks_unavailable_reason: reason } = await createTestClient({ origin }).diff({
    repo: 'a',
    from: 'b',
    to: 'c',
  })
  t.equal(reason, 'expired')

  const [webhook] = examples(contract.receivers.get.responses[200])
  const events = [...webhook.events, 'NodeLocked']
  const baseUrl = `${await answer(t, { ...webhook, events })}/v1`
  const { value } = await createAdminClient({ baseUrl, org: 'acme' }).receivers.get({ repo: 'weather', id: webhook.id })
  t.strictSame(value.events, events)
})

t.test('a listed member that is no text is still a violation', async (t) => {
  const [repository] = examples(contract.history.repository.responses[200])
  const origin = await answer(t, { ...repository, status: { ...repository.status, availability: 7 } })
  await t.rejects(createTestClient({ origin }).repository({ repo: 'weather' }), {
    name: 'ContractViolationError',
    issues: [{ pointer: '/status/availability', message: 'must be a string' }],
  })
})

t.test('a new type of problem is a problem; the type of another service is not', async (t) => {
  const [problem] = examples(Problem)
  const ask = async (type: string) =>
    createTestClient({ origin: await answer(t, { ...problem, type, code: 'repository-moved' }, 404) }).refs({
      repo: 'weather',
    })
  await t.rejects(ask('/problems/repository-moved'), { name: 'ProblemResponseError', code: 'repository-moved' })
  await t.rejects(ask('about:blank'), { name: 'UnexpectedResponseError' })
})

t.test('a receiver accepts a notice with a new reason', async (t) => {
  const notices = z.array(z.looseObject({ event: z.string(), details: z.looseObject({}) }))
  const disabled = notices
    .parse(createNotificationSchema()['examples'])
    .find(({ event }) => event === 'ReceiverDisabled')
  const changed = { ...disabled, details: { ...disabled?.details, reason: 'paused', receiver_kind: 'queue' } }
  t.strictSame(parseNotification(changed), changed)
})

t.test('expectations of a new kind reach the caller, and receivers', async (t) => {
  const [repository] = examples(contract.history.repository.responses[200])
  const expectations = [{ ...repository.expectations[0], kind: 'signed', facts: { signer: 'bot' } }]
  const floe = createTestClient({ origin: await answer(t, { ...repository, expectations }) })
  t.strictSame((await floe.repository({ repo: 'weather' })).expectations, expectations)
  const unnamed = createTestClient({ origin: await answer(t, { ...repository, expectations: [{ kind: 7 }] }) })
  await t.rejects(unnamed.repository({ repo: 'weather' }), { name: 'ContractViolationError' })
  const unmet = { event: 'ExpectationUnmet', details: { kind: 'signed', branch: 'main' } }
  t.strictSame(parseNotification(unmet), unmet)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  t.equal(ajv.compile(createNotificationSchema())(unmet), true, 'those in other languages too')
})

t.test('the contract itself, by which the service checks its answers, accepts only the listed values', async (t) => {
  const schema = contract.history.repository.responses[200]
  const [repository] = examples(schema)
  const changed = { ...repository, status: { ...repository.status, availability: 'archived' } }
  t.match(schema.safeParse(changed).error?.issues, [{ code: 'invalid_value', path: ['status', 'availability'] }])
})
