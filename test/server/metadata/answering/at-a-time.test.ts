// Refs at a time, such as `main@2026-11-18`, in repositories that official Icechunk wrote.
import { HistoryPage, Problem } from '@floe/contract'
import { t } from 'tap'
import { createTestClient } from '../../../client/create-test-client.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { buildId, buildRepo } from '../../../storage/repositories/icechunk/build-object.ts'
import { visibleText } from '../../pages/markup.ts'
import { type RunningServer, startServer } from '../../start-server.ts'
import { readExpected, requireList, requireObject, requireText } from '../history/read-expected.ts'
import { buildVersion1 } from '../history/build-version-1.ts'

const server = await startServer(t)

const html = { accept: 'text/html' }

/** The snapshots of a head, newest first, with the time of each, in microseconds. */
async function readSnapshots(name: string, branch = 'main') {
  const expected = await readExpected(name)
  const head = requireText(requireObject(expected.get('branches')).get(branch))
  const snapshots = requireObject(expected.get('snapshots'))
  return requireList(requireObject(expected.get('history')).get(head)).map((item) => {
    const id = requireText(item)
    return { id, writtenAt: requireText(requireObject(snapshots.get(id)).get('writtenAt')) }
  })
}

async function findSnapshot(path: string): Promise<string | null> {
  const response = await server.get(path)
  await response.body?.cancel()
  return response.status === 200 ? response.headers.get('floe-snapshot') : `status ${response.status}`
}

const encode = encodeURIComponent

async function readProblem(path: string): Promise<Problem> {
  return Problem.parse(await (await server.get(path)).json())
}

for (const name of ['weather', 'weather-v1', 'expired', 'expired-v1', 'reset', 'migrated']) {
  // Proves: a ref at a time is the last snapshot at or before it, as `as_of` of official Icechunk finds it
  t.test(`${name}: each snapshot is found at its time, and its parent a microsecond before`, async (t) => {
    const snapshots = await readSnapshots(name)
    t.ok(snapshots.length > 1)
    for (const [index, { id, writtenAt }] of snapshots.entries()) {
      t.equal(await findSnapshot(`discovery/${name}/${encode(`main@${writtenAt}`)}`), id)
      t.equal(await findSnapshot(`discovery/${name}/main@${writtenAt}`), id, 'unencoded')
      const before = writtenAt.replace(
        /(\d+)Z$/,
        (_, digits: string) => `${String(Number(digits) - 1).padStart(6, '0')}Z`,
      )
      const parent = snapshots[index + 1]?.id ?? 'status 404'
      t.equal(await findSnapshot(`discovery/${name}/${encode(`main@${before}`)}`), parent)
    }
  })

  t.test(`${name}: the time of a commit in its history names this commit`, async (t) => {
    for (const { snapshot_id, written_at } of HistoryPage.parse(await (await server.get(`history/${name}/main`)).json())
      .commits) {
      t.equal(await findSnapshot(`discovery/${name}/main@${written_at}`), snapshot_id)
    }
  })
}

t.test('a time is accepted wherever a ref is', async (t) => {
  const [, , { id, writtenAt } = { id: '', writtenAt: '' }] = await readSnapshots('weather')
  const ref = `main@${writtenAt}`
  for (const path of [
    `discovery/weather/${ref}`,
    `datasets/weather/${ref}/forecast/info`,
    `datasets/weather/${ref}/forecast/keys`,
    `datasets/weather/${ref}/forecast/dict`,
    `datasets/weather/${ref}/forecast`,
    `history/weather/${ref}`,
    `diff/weather/main/${ref}`,
  ]) {
    t.equal(await findSnapshot(path), id, path)
  }
  const read = async (path: string) => (await server.get(path)).text()
  t.equal(await read(`diff/weather/${ref}/main`), await read(`diff/weather/${id}/main`))
  t.equal(await read(`datasets/weather/${ref}/forecast/dict`), await read(`datasets/weather/${id}/forecast/dict`))
})

t.test('tags and snapshots have times too', async (t) => {
  const snapshots = await readSnapshots('weather')
  const [head, , , tagged, older] = snapshots
  t.equal(await findSnapshot(`discovery/weather/v1.0@2099-01-01`), tagged?.id)
  t.equal(await findSnapshot(`discovery/weather/v1.0@${older?.writtenAt}`), older?.id)
  t.equal(await findSnapshot(`discovery/weather/${head?.id}@${older?.writtenAt}`), older?.id)
})

t.test('times can have a zone, and a date is its start in UTC', async (t) => {
  const [head, , , { id, writtenAt } = { id: '', writtenAt: '' }] = await readSnapshots('weather')
  // Keeps the microseconds, which a Date does not have.
  const writeAt = (hours: number) =>
    new Date(Date.parse(writtenAt) + hours * 3_600_000).toISOString().slice(0, 14) + writtenAt.slice(14, -1)
  for (const written of [`${writeAt(2)}+02:00`, `${writeAt(-8)}-08:00`, writeAt(0)]) {
    t.equal(await findSnapshot(`discovery/weather/main@${written}`), id, written)
    t.equal(await findSnapshot(`discovery/weather/${encode(`main@${written}`)}`), id, written)
  }
  for (const later of ['2099-01-01', '2099-01-01T07:14Z', '2099-12-31T00:00:00.123456789Z']) {
    t.equal(await findSnapshot(`discovery/weather/main@${later}`), head?.id, later)
  }
  t.equal(await findSnapshot(`discovery/weather/main@${writtenAt.slice(0, 10)}`), 'status 404')
})

t.test('the client encodes times', async (t) => {
  const floe = createTestClient(server)
  const [head] = await readSnapshots('weather')
  for (const time of ['2099-01-01', '2099-01-01T01:30+02:00']) {
    const { snapshotId } = await floe.versioned.info({ repo: 'weather', ref: `main@${time}`, group: 'forecast' })
    t.equal(snapshotId, head?.id)
    t.match(await floe.historyPage({ repo: 'weather', ref: 'main', since: time, until: time }), { commits: [] })
  }
})

t.test('a time before the first snapshot is refused with the time of that', async (t) => {
  const first = (await readSnapshots('weather')).at(-1)?.writtenAt.replace(/\d{3}Z$/, 'Z') ?? ''
  for (const name of ['weather', 'weather-v1']) {
    const { type, detail } = await readProblem(`datasets/${name}/main@2026-01-01T12:00/info`)
    t.equal(type, '/problems/ref-not-found')
    t.match(
      detail,
      `${name} has no snapshot of "main" at or before 2026-01-01T12:00:00.000Z; its first one was written at`,
    )
    if (name === 'weather') t.match(detail, first)
  }
})

t.test('a malformed time is refused with the parameter and what is expected', async (t) => {
  for (const time of [
    'yesterday',
    '',
    '2026-11',
    '2026-13-01',
    '2026-02-29',
    '2026-11-18T',
    '2026-11-18T24:00',
    '2026-11-18T06:60Z',
    '2026-11-18T06:00:60Z',
    '2026-11-18 06:00Z',
    '2026-11-18T06:00 02:00',
    '2026-11-18t06:00z',
    '2026-11-18T06:00+2:00',
    '2026-11-18T06:00.5Z',
    '2026-11-18T06:00:00.1234567890Z',
    ' 2026-11-18',
    '２０２６-11-18',
    '12026-11-18',
  ]) {
    const problem = await readProblem(`discovery/weather/${encode(`main@${time}`)}`)
    t.match(
      problem,
      { status: 400, errors: [{ pointer: '/path/ref', message: /not a date such as 2026-11-18/ }] },
      time,
    )
  }
  t.match(await readProblem('diff/weather/main@x/main'), { errors: [{ pointer: '/path/from' }] })
  t.match(await readProblem('diff/weather/main/v1.0@x'), { errors: [{ pointer: '/path/to' }] })
})

t.test('an unknown ref with a time is named without the time, with near names', async (t) => {
  const unknown = 'weather has no branch, tag or snapshot called'
  t.match(await readProblem('discovery/weather/mian@2026-11-18'), {
    status: 404,
    detail: `${unknown} "mian"; did you mean "main"?`,
  })
  t.match(await readProblem('discovery/weather/mian@x'), { status: 404, detail: `${unknown} "mian@x"` })
  t.match(await readProblem('datasets/weather/feature/one@2099-01-01/info'), {
    detail: `${unknown} "feature"; did you mean "feature/one", which an address has as feature%2Fone?`,
  })
})

t.test('a ref whose whole name has an @ and a time comes first', async (t) => {
  const snapshots = [0, 1, 2].map((index) => ({ id: buildId(index + 1), parent: index - 1 }))
  const branches = [
    ['main', 2],
    ['main@2099-01-01', 0],
    ['a@b', 1],
  ] as const
  const store = new MemoryStore([['repo', buildRepo({ snapshots, branches })]])
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'built', store }] })
  for (const [ref, id] of [
    ['main@2099-01-01', buildId(1)],
    ['main%402099-01-01', buildId(1)],
    ['main@2099-01-02', buildId(3)],
    ['a@b', buildId(2)],
    ['a@b@2099-01-01', buildId(2)],
    ['a%40b%402099-01-01T00%3A00%2B02%3A00', buildId(2)],
  ] as const) {
    t.equal((await server.get(`history/built/${ref}`)).headers.get('floe-snapshot'), id, ref)
  }
})

t.test('clocks that differ: the first commit on the way back counts, as in Icechunk', async (t) => {
  const hours = [9, 11, 10, 12]
  const snapshots = hours.map((hour, index) => ({
    id: buildId(index + 1),
    parent: index - 1,
    time: BigInt(Date.UTC(2026, 0, 1, hour)) * 1_000n,
  }))
  const store = new MemoryStore([['repo', buildRepo({ snapshots, branches: [['main', 3]] })]])
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'built', store }] })
  for (const [time, number] of [
    ['12:00', 4],
    ['11:30', 3],
    ['10:00', 3],
    ['09:59', 1],
  ] as const) {
    const { headers } = await server.get(`history/built/main@2026-01-01T${time}Z`)
    t.equal(headers.get('floe-snapshot'), buildId(number), time)
  }
})

t.test('version 1 reads at most 100 commits to find a time, and goes on with the next request', async (t) => {
  const store = buildVersion1(250)
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'built', store }], refMaxAge: 60_000 })
  const countSnapshots = () => store.asked.filter((key) => key.startsWith('snapshots/')).length
  const get = async () => Problem.parse(await (await server.get('datasets/built/main@1970-01-01/info')).json())
  const problem = await get()
  t.match(problem, { status: 422, type: '/problems/repository-too-large', detail: /reads at most 100 commits/ })
  t.equal(countSnapshots(), 100)
  t.match(await get(), { status: 422 })
  t.equal(countSnapshots(), 200)
  t.match(await get(), { status: 404, detail: /built has no snapshot of "main" at or before 1970-01-01/ })
  t.equal(countSnapshots(), 250)
})

t.test('an answer at a time may change, so that caches must ask again', async (t) => {
  const [head] = await readSnapshots('weather')
  const readCaching = async (ref: string) =>
    (await fetch(`${server.publicMeta}/datasets/weather/${ref}/info?`)).headers.get('cache-control')
  const moving = await readCaching('main')
  t.match(await readCaching(head?.id ?? ''), 'immutable')
  for (const ref of ['main@2099-01-01', 'main@2099-01-02', `v1.0@${head?.writtenAt}`, `${head?.id}@2099-01-01`]) {
    t.equal(await readCaching(ref), moving, ref)
  }
})

t.test('who may not read a repository learns nothing of its refs and times', async (t) => {
  const read = async (path: string) => {
    const authorization = `Bearer ${server.weatherKey}`
    return Problem.parse(await (await fetch(`${server.meta}/${path}`, { headers: { authorization } })).json()).detail
  }
  const refused = 'The API key does not cover the repository "satellite"'
  for (const ref of ['main@2099-01-01', 'main@1999-01-01', 'main@x', 'nothing@2099-01-01']) {
    t.equal(await read(`discovery/satellite/${ref}`), refused, ref)
  }
})

t.test('a page at a time names it, and its links lead to the snapshot', async (t) => {
  const [, , { id, writtenAt } = { id: '', writtenAt: '' }] = await readSnapshots('weather')
  for (const path of [`discovery/weather/main@${writtenAt}`, `datasets/weather/main@${writtenAt}/forecast`]) {
    const page = await (await server.get(path, html)).text()
    t.match(visibleText(page), /As of\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n, branch\nmain/, path)
    t.match(page, `value="${writtenAt.slice(0, 10)}"`)
    t.notMatch(page, 'main@', 'no address or snippet names the time')
    t.match(page, id)
  }
  const snippet = await (await server.get(`datasets/weather/main@${writtenAt}/forecast`, html)).text()
  t.match(snippet, `snapshot_id=&quot;${id}&quot;`)
  const diff = visibleText(await (await server.get(`diff/weather/v1.0/main@${writtenAt}`, html)).text())
  t.match(diff, `What changed in weather\nv1.0\nto\n${id}`)
})

t.test('the date field of a page leads to the same page at the date', async (t) => {
  const leadTo = async (query: Record<string, string>) => {
    const address = `${server.publicMeta}/datasets/weather?${new URLSearchParams(query)}`
    const redirect = await fetch(address, { redirect: 'manual' })
    return [redirect.status, redirect.headers.get('location')]
  }
  const meta = '/v1/services/open/acme/_meta'
  t.strictSame(await leadTo({ ref: 'feature/one', at: '2026-11-22' }), [
    303,
    `${meta}/discovery/weather/feature%2Fone%402026-11-22`,
  ])
  t.strictSame(await leadTo({ ref: 'main', at: '2026-11-22', group: 'wind/speed' }), [
    303,
    `${meta}/datasets/weather/main%402026-11-22/wind/speed`,
  ])
  t.strictSame(await leadTo({ ref: 'main', at: '2026-11-22', group: '' }), [
    303,
    `${meta}/datasets/weather/main%402026-11-22`,
  ])
})

async function listIds(server: RunningServer, path: string): Promise<string[]> {
  const page = HistoryPage.parse(await (await server.get(path)).json())
  return page.commits.map(({ snapshot_id }) => snapshot_id)
}

for (const name of ['weather', 'weather-v1']) {
  t.test(`${name}: a history can begin and end at times`, async (t) => {
    const snapshots = await readSnapshots(name)
    const ids = snapshots.map(({ id }) => id)
    const [, second, , fourth] = snapshots
    const path = `history/${name}/main`
    t.strictSame(await listIds(server, `${path}?until=${second?.writtenAt}`), ids.slice(1))
    t.strictSame(await listIds(server, `${path}?since=${fourth?.writtenAt}`), ids.slice(0, 4))
    t.strictSame(
      await listIds(server, `${path}?since=${fourth?.writtenAt}&until=${second?.writtenAt}`),
      ids.slice(1, 4),
    )
    t.strictSame(await listIds(server, `${path}?until=2000-01-01`), [])
    t.strictSame(await listIds(server, `${path}?since=2099-01-01`), [])
    const paged: string[] = []
    for (let before = ''; ;) {
      const query = `limit=1&since=${fourth?.writtenAt}&until=${second?.writtenAt}${before && `&before=${before}`}`
      const page = HistoryPage.parse(await (await server.get(`${path}?${query}`)).json())
      t.equal(page.until_found, null)
      paged.push(...page.commits.map(({ snapshot_id }) => snapshot_id))
      if (page.next === null) break
      before = page.next
    }
    t.strictSame(paged, ids.slice(1, 4))
    const mixed = await server.get(`${path}?since=${fourth?.writtenAt}&until=${ids[5]}`)
    t.match(await mixed.json(), { commits: { length: 4 }, until_found: null }, '`since` comes first')
  })

  t.test(`${name}: a malformed time of a history is refused`, async (t) => {
    for (const member of ['since', 'until']) {
      const problem = await readProblem(`history/${name}/main?${member}=2026-11-18T06:00+02:00`)
      t.match(problem, { status: 400, errors: [{ pointer: `/query/${member}`, message: /\+ is written as %2B/ }] })
    }
  })
}

t.test('the page of a history keeps `since` on the way to older commits', async (t) => {
  const commits = Array.from({ length: 150 }, (_, index) => ({ id: buildId(index + 1), parent: index - 1 }))
  const store = new MemoryStore([['repo', buildRepo({ snapshots: commits, branches: [['main', 149]] })]])
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'built', store }] })
  const page = await (await server.get('history/built/main?since=1970-01-01', html)).text()
  t.match(page, `history/built/main?since=1970-01-01&amp;before=${buildId(51)}`)
})
