import { defaultLimits } from '@floe/storage/icechunk'
import { readFile } from 'node:fs/promises'
import { t } from 'tap'
import { z } from 'zod'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import { basic, type RunningServer, startServer } from '../../start-server.ts'
import { readMetrics, readValue } from './read-metrics.ts'

const page = await readFile(new URL('../../../../docs/internals/metrics.md', import.meta.url), 'utf8')

const Labelled = z.object({ name: z.string(), labelNames: z.array(z.string()) })

const scrape = async ({ origin, adminKey }: RunningServer) => {
  const response = await fetch(`${origin}/metrics`, { headers: { authorization: basic('acme', adminKey) } })
  return { response, text: await response.text() }
}

t.test(
  'the page of the documentation lists exactly the metrics of the service, with their types and labels',
  async (t) => {
    const { text } = await scrape(await startServer(t, { hasSearch: true, hasOperator: true }))
    const types = [...text.matchAll(/^# TYPE (floe_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`)
    const rows = page.split('\n').filter((line) => line.startsWith('| `floe_'))
    const listed = rows.flatMap((row) => {
      const [, names = '', type = ''] = row.split('|')
      return [...names.matchAll(/`(floe_\w+)/g)].map(([, name]) => `${name} ${type.trim()}`)
    })
    t.strictSame(listed.sort(), types.sort())
    const samples = [...text.matchAll(/^(floe_\w+?)(?:_bucket)?\{(.+)\} /gm)].map(([, name = '', labels = '']) => {
      const found = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
      return { name, labelNames: found.filter((label) => label !== 'le') }
    })
    t.ok(samples.length > 20)
    // What has not been counted yet has no sample.
    const counted: unknown[] = createMetrics().registry.getMetricsAsArray()
    for (const { name, labelNames } of z.array(Labelled).parse([...samples, ...counted])) {
      const [, documented = ''] = new RegExp(`^\\|.*?\`${name}(?:\\{([\\w,]+)\\})?\`.*?\\|`, 'm').exec(page) ?? []
      t.strictSame(labelNames.join(), documented, name)
    }
    const process = [...page.matchAll(/`((?:nodejs|process)_\w+)`/g)].map(([, name = '']) => name)
    t.ok(process.length > 5)
    for (const name of process) t.match(text, new RegExp(`^# TYPE ${name} `, 'm'), name)
  },
)

t.test('requests are counted by the route of the contract, and no label names a repository', async (t) => {
  const server = await startServer(t, { refMaxAge: 60_000 })
  for (const path of ['discovery/weather', 'discovery/weather', 'discovery/weather', 'discovery/nothing'])
    await (await server.get(path)).text()
  await (await fetch(`${server.origin}/nowhere/${server.apiKey}`)).text()
  const { response, text } = await scrape(server)
  t.equal(response.status, 200)
  t.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const metrics = readMetrics(text)
  const route = '/v1/services/:deployment/:org/_meta/discovery/:repo'
  const count = (labels: Record<string, string>) =>
    readValue(metrics, 'floe_http_request_duration_seconds_count', labels)
  t.equal(count({ method: 'GET', route, status: '200' }), 3, 'the cached ones too')
  t.equal(count({ method: 'GET', route, status: '404' }), 1)
  t.equal(count({ method: 'none', route: 'none', status: '404' }), 1)
  t.equal(readValue(metrics, 'floe_cache_hits_total', { cache: 'answers' }), 2)
  t.ok(readValue(metrics, 'floe_cache_bytes', { cache: 'answers' }) > 100)
  for (const name of ['weather', 'satellite', 'acme', 'tiles', 'nowhere', server.apiKey]) t.notMatch(text, name)
})

t.test('reader threads, polls and moves are counted', async (t) => {
  const server = await startServer(t, { readerLimits: defaultLimits })
  await (await server.get('datasets/weather/main/forecast/info')).text()
  await (await server.get('datasets/weather/main/forecast/info')).text()
  await server.administer('POST', 'repos/weather/refresh')
  await server.administer('POST', 'repos/weather/refresh')
  const metrics = readMetrics((await scrape(server)).text)
  t.ok(readValue(metrics, 'floe_reader_task_duration_seconds_count') >= 1)
  t.equal(readValue(metrics, 'floe_reader_questions'), 0)
  t.equal(readValue(metrics, 'floe_cache_misses_total', { cache: 'snapshots' }), 1)
  t.ok(readValue(metrics, 'floe_cache_bytes', { cache: 'answers' }) > 100)
  t.equal(readValue(metrics, 'floe_polls_total', { result: 'moved' }), 1)
  t.equal(readValue(metrics, 'floe_polls_total', { result: 'unchanged' }), 1)
  t.equal(readValue(metrics, 'floe_heads_moved_total'), 1)
  t.equal(readValue(metrics, 'floe_poll_duration_seconds_count'), 2)
  t.equal(readValue(metrics, 'floe_database_up'), 1)
  t.equal(readValue(metrics, 'floe_deliveries_waiting'), 0)
})

t.test('while the database does not answer, other metrics do, and figures from it stay as they were', async (t) => {
  const server = await startServer(t, { onError: () => {} })
  await scrape(server)
  await server.db.schema.dropTable('deliveries').execute()
  const { text } = await scrape(server)
  const metrics = readMetrics(text)
  t.equal(readValue(metrics, 'floe_database_up'), 0)
  t.equal(readValue(metrics, 'floe_deliveries_waiting'), 0)
  t.equal(readValue(metrics, 'floe_streams_open'), 0)
})
