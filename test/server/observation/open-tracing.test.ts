import { Problem } from '@floe/contract'
import { t } from 'tap'
import { openTracing } from '../../../server/observation/open-tracing.ts'
import { startServer } from '../start-server.ts'
import { type CollectedSpan, startCollector } from './start-collector.ts'

const attributesOf = ({ attributes }: CollectedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

t.test('a request is a span of the trace that its caller names, with the id that its problem has', async (t) => {
  const { endpoint, spans } = await startCollector(t)
  const tracing = await openTracing(endpoint, (error) => t.error(error))
  const server = await startServer(t, { tracing: tracing.plugin })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const response = await server.get(`discovery/nothing?key=${server.apiKey}`, {
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  })
  const { instance } = Problem.parse(await response.json())
  await (await server.get(`${server.origin}/nowhere/${server.apiKey}`)).text()
  await tracing.close()
  const route = '/v1/services/:deployment/:org/_meta/discovery/:repo'
  const span = spans.find(({ name }) => name === `GET ${route}`)
  t.ok(span)
  if (span === undefined) return
  t.equal(span.traceId, traceId)
  t.match(attributesOf(span), {
    'http.route': route,
    'http.request.method': 'GET',
    'http.response.status_code': 404,
    'url.path': '/v1/services/tiles/acme/_meta/discovery/nothing',
    'floe.request_id': instance.slice('urn:uuid:'.length),
  })
  t.notMatch(JSON.stringify(spans), server.apiKey.slice(22), 'no key in an address, query or message')
})

t.test('a request is traced, also if its caller does not trace it', async (t) => {
  const { endpoint, spans } = await startCollector(t)
  const tracing = await openTracing(endpoint, (error) => t.error(error))
  const server = await startServer(t, { tracing: tracing.plugin })
  await (
    await server.get('discovery', { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' })
  ).text()
  await tracing.close()
  t.ok(spans.some(({ name }) => name === 'GET /v1/services/:deployment/:org/_meta/discovery'))
})

// Proves: an unreachable collector of traces delays nothing
t.test('a collector that cannot be reached holds up nothing', async (t) => {
  const errors: unknown[] = []
  const tracing = await openTracing('http://127.0.0.1:1/v1/traces', (error) => void errors.push(error))
  const server = await startServer(t, { tracing: tracing.plugin })
  t.equal((await server.get('discovery')).status, 200)
  await tracing.close()
  t.match(String(errors[0]), /ECONNREFUSED/)
})
