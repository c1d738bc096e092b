// The calendar of a branch over HTTP, with what is recorded about its expectations.
import { deleteExpired } from '@floe/storage/database'
import { t } from 'tap'
import { expectationsPath, sampleBody, startWithExpectations } from '../../administration/sample-expectations.ts'
import { visibleText } from '../../pages/markup.ts'
import { startServer } from '../../start-server.ts'

const dayMs = 86_400_000

type Started = Awaited<ReturnType<typeof startWithExpectations>>

async function readPage({ server }: Pick<Started, 'server'>, path = 'history/satellite/main'): Promise<string> {
  return (await server.get(path, { accept: 'text/html' })).text()
}

/** The days and hours between which each expectation was not met. */
function listUnmet(page: string): string[] {
  return Array.from(page.matchAll(/<title>([^<]* tile server not met from [^<]*)<\/title>/g), ([, title = '']) => title)
}

/** The cells of the rows of the table. */
function listRows(page: string): string[] {
  return Array.from(page.matchAll(/<tr>(.*?)<\/tr>/gs), ([, row = '']) => visibleText(row).replaceAll('\n', ' '))
}

t.test('a branch shows when each expectation was not met, and what was told', async (t) => {
  const started = await startWithExpectations(t)
  const { server, create, passTime } = started
  const { id } = await create(sampleBody('freshness'))
  await create(sampleBody('written'))
  passTime(2 * dayMs)
  const address = `${expectationsPath}/${id}`
  await server.administer('PATCH', address, { kind: 'freshness', max_age: '3652d' }, { 'if-match': '"1"' })
  const page = await readPage(started)
  const [late = '', incomplete = '', ...others] = listUnmet(page)
  t.strictSame(others, [])
  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`
  const [, from = '', to = ''] =
    new RegExp(`^Freshness tile server not met from (${time}) to (${time})$`).exec(late) ?? []
  t.equal(Date.parse(to) - Date.parse(from), 2 * dayMs)
  t.equal(incomplete, `Written chunks tile server not met from ${from} to now`)
  const [head, met = '', unmet = ''] = listRows(page)
  t.equal(head, 'Day Commits Expectations')
  t.match(
    met,
    new RegExp(`^${to.slice(0, 10)} 0 ${to.slice(11)} ON TIME tile server: acme/satellite main: last commit`),
  )
  t.match(unmet, new RegExp(`^${from.slice(0, 10)} 0 ${from.slice(11)} LATE tile server: .* INCOMPLETE tile server: `))
  t.match(visibleText(page), /commits? of main\n/)

  await server.administer('DELETE', address)
  t.strictSame(listUnmet(await readPage(started)), [incomplete], 'what is no longer expected has no line')
})

t.test('where events are no longer kept, a line begins with the oldest time that is known', async (t) => {
  const started = await startWithExpectations(t)
  const { server, create, passTime } = started
  await create(sampleBody('written'))
  const { id } = await create(sampleBody('freshness'))
  const readUnmet = async () =>
    listUnmet(await readPage(started)).map((title) => {
      const [, from = '', to = ''] = /not met from (.*) to (.*)$/.exec(title) ?? []
      return { from: Date.parse(from), to: to === 'now' ? to : Date.parse(to) }
    })
  const start = (await readUnmet())[0]?.from ?? NaN
  passTime(95 * dayMs)
  const fresh = { kind: 'freshness', max_age: '3652d' }
  await server.administer('PATCH', `${expectationsPath}/${id}`, fresh, { 'if-match': '"1"' })
  passTime(5 * dayMs)
  const none = new Date(0)
  const expiry = { attemptsBefore: none, auditBefore: none, keysBefore: none, sessionsBefore: none, limit: 100 }
  await deleteExpired(server.db, { ...expiry, eventsBefore: new Date(start + 10 * dayMs) })
  t.strictSame(await readUnmet(), [
    { from: start, to: 'now' },
    { from: start + 10 * dayMs, to: start + 95 * dayMs },
  ])
  const page = await readPage(started)
  t.notMatch(page, 'INCOMPLETE')
  t.match(visibleText(page), 'UTC Written chunks tile server: has not been met since')
  t.match(visibleText(page), 'UTC Freshness tile server: was not met before')
  t.match(visibleText(page), 'events are kept for 90 days')
})

t.test('only the first page of the whole history of a branch has a calendar', async (t) => {
  const server = await startServer(t)
  const has = async (path: string) => (await readPage({ server }, path)).includes('id="calendar"')
  t.ok(await has('history/weather/main'))
  t.ok(await has('history/weather-v1/main?limit=2'))
  for (const path of ['weather/v1.0', 'weather/main?path=**', 'weather/main?since=2020', 'weather/main?until=2030'])
    t.notOk(await has(`history/${path}`), path)
})
