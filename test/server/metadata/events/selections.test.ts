// Streams that select branches, tags and events.
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { SentNotification } from '@floe/contract'
import { findWantedSelection, listWantedSelections, mainAlone } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { openMovableRefs } from '../../notifications/movable-refs.ts'
import { basic, startServer } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'
import { follow, type Followed, requestStream } from './follow.ts'

/** The events of a stream with their branches or tags, sorted, because one check may find some of several changes. */
function listEvents({ messages }: Followed): string[] {
  const events = messages.map(({ event, data }) => {
    const { details } = SentNotification.parse(JSON.parse(data))
    return `${event} ${'tag' in details ? details.tag : 'branch' in details && details.branch}`
  })
  return events.sort()
}

t.test('a stream that is refused because its caller has too many selects nothing', async (t) => {
  const { db, meta, apiKey } = await startServer(t, { streamLimits: { streamsPerCaller: 1 } })
  await follow(t, `${meta}/events`, apiKey)
  const refused = await requestStream(t, `${meta}/events?branches=dev`, { authorization: basic('acme', apiKey) })
  t.equal(refused.statusCode, 429)
  t.strictSame(await db.selectFrom('stream_selections').selectAll().execute(), [])
})

// Proves: a stream carries the events that it selects with `events` and `branches`
t.test('a stream carries the events that it selects, of the branches that it selects', async (t) => {
  const { source, point, remove } = await openMovableRefs(t)
  const server = await startServer(t, { sources: [source] })
  const { db, meta, apiKey, notifier } = server
  await notifier.start()
  const check = () => server.administer('POST', 'repos/sea/refresh')
  await check()
  const plain = await follow(t, `${meta}/events`, apiKey)
  const branches = await follow(t, `${meta}/events?branches=other&branches=release/*`, apiKey)
  const all = ['NewCommit', 'BranchCreated', 'BranchDeleted', 'TagCreated', 'TagDeleted']
  const query = all.map((name) => `events=${name}`).join('&')
  const everything = await follow(t, `${meta}/events?branches=**&${query}`, apiKey)
  const tags = await follow(t, `${meta}/events?events=TagCreated`, apiKey)
  // What the streams select counts from here.
  await waitUntil(async () => {
    await check()
    const { recorded_selection } = await db
      .selectFrom('repositories')
      .select('recorded_selection')
      .executeTakeFirstOrThrow()
    return recorded_selection?.includes('**') ?? false
  })
  await point('branch.main', 's1')
  await point('branch.other', 's4')
  await point('branch.release', 's1')
  await point('tag.v1', 's1')
  await remove('tag.s2')
  await check()
  await point('branch.main', 's2')
  await remove('branch.release')
  await check()
  notifier.signal('deliveries')
  await everything.until(({ messages }) => messages.length >= 7)
  t.strictSame(listEvents(everything), [
    'BranchCreated release',
    'BranchDeleted release',
    'NewCommit main',
    'NewCommit main',
    'NewCommit other',
    'TagCreated v1',
    'TagDeleted s2',
  ])
  await plain.until(({ messages }) => messages.length >= 2)
  t.strictSame(listEvents(plain), ['NewCommit main', 'NewCommit main'])
  await branches.until(({ messages }) => messages.length >= 1)
  await tags.until(({ messages }) => messages.length >= 1)
  t.strictSame([branches, tags].map(listEvents), [['NewCommit other'], ['TagCreated v1']])
  const resumed = await follow(t, `${meta}/events?after=0&branches=other&events=NewCommit`, apiKey)
  await resumed.until(({ messages }) => messages.length >= 1)
  t.strictSame(listEvents(resumed), ['NewCommit other'], 'what is recorded is sent to whoever selects it')
})

t.test('a wrong pattern or event is refused, and the problem names the parameter', async (t) => {
  const server = await startServer(t)
  for (const query of ['branches=', `branches=${'*/'.repeat(9)}`, 'events=Commit', 'events=NewCommit&events=Tag']) {
    const response = await server.get(`events?${query}`)
    t.equal(response.status, 400, query)
    t.match((await response.json()).errors, [{ pointer: /^\/query\/(?:branches|events)/ }])
  }
})

/** Opens a stream, leaves as soon as it is answered, and returns the status. */
async function lookIn(t: Test, url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const response = await requestStream(t, url, headers)
  response.destroy()
  return response.statusCode
}

for (const engine of await reachableEngines(t)) {
  // Proves: selections of anonymous streams leave room for those of API keys and of other deployments
  t.test(`${engine.name}: selections of anonymous streams leave room for others, however many they are`, async (t) => {
    const { db } = await engine.fresh(t)
    const { meta, origin, apiKey, weatherKey } = await startServer(t, {
      db,
      deployments: [
        { name: 'part', public: true, repos: ['wea*'] },
        { name: 'also', public: true, repos: ['**'] },
      ],
      trustProxy: ['127.0.0.1'],
    })
    const ask = (deployment: string, branch: string, address: string) =>
      lookIn(t, `${origin}/v1/services/${deployment}/acme/_meta/events?branches=${branch}`, {
        'x-forwarded-for': address,
      })
    const statuses = []
    for (let count = 1; count <= 15; count++) statuses.push(await ask('part', `one-${count}`, '192.0.2.1'))
    t.strictSame(statuses, [...Array.from({ length: 13 }, () => 200), 429, 429])
    t.equal(await ask('part', 'one-1', '192.0.2.1'), 200, 'what is selected already needs no room')
    t.equal(await ask('part', 'two', '192.0.2.2'), 200)
    for (let count = 1; count <= 50; count++) await ask('part', `many-${count}`, `192.0.2.${count}`)
    const refused = await requestStream(t, `${origin}/v1/services/part/acme/_meta/events?branches=another`)
    t.equal(refused.statusCode, 429)
    t.equal(refused.headers['retry-after'], '120')
    t.match(JSON.parse(await text(refused)), {
      type: '/problems/too-many-requests',
      detail: /too many different branches/,
    })
    t.equal(await ask('also', 'another', '192.0.2.9'), 200)
    // The longest patterns that are allowed, as many as are allowed, which do not compress.
    const long = Array.from({ length: 20 }, () => `branches=${randomBytes(120).toString('hex')}`).join('&')
    await follow(t, `${meta}/events?${long}`, apiKey)
    for (let count = 1; count <= 10; count++) await follow(t, `${meta}/events?branches=key-${count}`, apiKey)
    await follow(t, `${meta}/events?branches=its-own`, weatherKey)
    await follow(t, `${meta}/events`, apiKey)
  })

  // Proves: a selection of a stream reaches only repositories that the deployment serves and the caller may read
  t.test(`${engine.name}: a selection reaches the repositories of its stream, and ends soon after it`, async (t) => {
    const { db } = await engine.fresh(t)
    let now = Date.now()
    const { meta, origin, apiKey, weatherKey } = await startServer(t, {
      db,
      deployments: [{ name: 'part', public: true, repos: ['wea*', 'sat*'] }],
      now: () => now,
    })
    const listWanted = async (name: string, inMs = 0) => {
      const wanted = await listWantedSelections(db, mainAlone, new Date(now + inMs))
      return findWantedSelection(wanted, { id: 'x', org: 'acme', name }).selection
    }
    const part = `${origin}/v1/services/part/acme/_meta/events`
    await follow(t, `${part}?branches=public`, null)
    await lookIn(t, `${part}?branches=short`)
    await follow(t, `${meta}/events?branches=limited`, weatherKey)
    const everywhere = await follow(t, `${meta}/events?branches=every&events=TagCreated`, apiKey)
    const all = { branches: ['every'], anonymous: [] as string[], tags: true }
    t.strictSame(await listWanted('weather'), {
      ...all,
      branches: ['every', 'limited'],
      anonymous: ['public', 'short'],
    })
    t.strictSame(await listWanted('satellite'), { ...all, anonymous: ['public', 'short'] })
    t.strictSame(await listWanted('hidden'), all)
    everywhere.response.destroy()
    const expected = { branches: ['limited'], anonymous: ['public'], tags: false }
    for (let passed = 0; passed < 5; passed++) {
      now += 30_000
      // Selections of open streams are renewed meanwhile.
      await waitUntil(async () => (await listWanted('weather', 60_000)).branches.includes('limited'))
    }
    await waitUntil(async () => isDeepStrictEqual(await listWanted('weather'), expected))
    t.strictSame(await listWanted('hidden'), mainAlone)
  })
}
