import { contract } from '@floe/contract'
import type { TenantCaller } from '@floe/storage/waiting'
import Fastify from 'fastify'
import { t, type Test } from 'tap'
import { treatAs } from '../../../server/http/contract.ts'
import { toRequestProblem } from '../../../server/http/errors/to-request-problem.ts'
import { type ContractBody, takeContracts } from '../../../server/http/take-contracts.ts'
import { waitUntil } from '../wait-until.ts'

/** A server whose checks of contracts end when the test says so, and which answers with the checked body. */
async function start(t: Test) {
  const app = Fastify({ trustProxy: true })
  t.teardown(() => app.close())
  app.decorateRequest('caller', null)
  app.setErrorHandler((error, _request, reply) => {
    const { code, headers } = toRequestProblem(error)
    return reply.status(503).headers(headers).send(code)
  })
  const checks: { caller: TenantCaller; signal: AbortSignal; end: (body: unknown) => void }[] = []
  const checkContract = (caller: TenantCaller, _body: ContractBody, signal: AbortSignal) =>
    new Promise((end) => checks.push({ caller, signal, end }))
  await app.register(async (scope) => {
    takeContracts(scope, { checkContract })
    const config = treatAs(contract.compatibility.check)
    scope.post('/:org', { config }, (request, reply) => reply.send(request.body))
    scope.get('/:org', (_request, reply) => reply.send('not held'))
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const post = (
    body: string,
    { org = 'acme', address = '192.0.2.1', signal }: { org?: string; address?: string; signal?: AbortSignal } = {},
  ) =>
    fetch(`${origin}/${org}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body,
      ...(signal && { signal }),
    })
  return { origin, checks, post }
}

const large = `"${'x'.repeat(70_000)}"`

t.test('the check of a body is left to others, whose answer the route gets', async (t) => {
  const { origin, checks, post } = await start(t)
  const answer = post('not even JSON')
  await waitUntil(() => checks.length === 1)
  t.equal(await (await fetch(`${origin}/acme`)).text(), 'not held')
  t.match(checks[0]?.caller, { tenant: 'acme', caller: 'address 192.0.2.1', isAnonymous: true })
  checks[0]?.end('checked')
  t.equal(await (await answer).text(), 'checked')
})

t.test('a caller has four large bodies in work, and leaves room for others', async (t) => {
  const { checks, post } = await start(t)
  const taken = Array.from({ length: 4 }, () => post(large))
  await waitUntil(() => checks.length === 4)
  const refused = await post(large)
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '1')
  t.equal(await refused.text(), 'unavailable')
  const others = [post('short'), post(large, { address: '198.51.100.1' }), post(large, { org: 'other' })]
  await waitUntil(() => checks.length === 7)
  for (const { end } of checks) end('checked')
  for (const { status } of await Promise.all([...taken, ...others])) t.equal(status, 200)
  const again = post(large)
  await waitUntil(() => checks.length === 8)
  checks[7]?.end('checked')
  t.equal((await again).status, 200, 'an answered body makes room')
})

t.test('a caller that leaves ends the check, and makes room', async (t) => {
  const { checks, post } = await start(t)
  const leaving = new AbortController()
  const gone = Array.from({ length: 4 }, () => t.rejects(post(large, { signal: leaving.signal })))
  await waitUntil(() => checks.length === 4)
  leaving.abort()
  await Promise.all(gone)
  await waitUntil(() => checks.every(({ signal }) => signal.aborted))
  const next = post(large)
  await waitUntil(() => checks.length === 5)
  checks[4]?.end('checked')
  t.equal((await next).status, 200)
})
