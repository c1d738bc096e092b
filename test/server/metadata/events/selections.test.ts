// Streams that select branches, tags and events.
import { text } from 'node:stream/consumers'
import { NewCommit, SentRefEvent } from '@floe/contract'
import { recordStreamSelection } from '@floe/storage/database'
import { t } from 'tap'
import { openMovableRefs } from '../../notifications/movable-refs.ts'
import { startServer } from '../../start-server.ts'
import { follow, type Followed, requestStream } from './follow.ts'

/** What a stream has carried: events with their branches or tags, sorted, because a check may see some of several changes. */
function listEvents({ messages }: Followed): string[] {
  const events = messages.map(({ event, data }) => {
    const { details } = NewCommit.or(SentRefEvent).parse(JSON.parse(data))
    return `${event} ${'tag' in details ? details.tag : details.branch}`
  })
  return events.sort()
}

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
  let watched: string | null = null
  for (const end = Date.now() + 60_000; !watched?.includes('**') && Date.now() < end;) {
    await check()
    watched = (await db.selectFrom('repositories').select('watched').executeTakeFirstOrThrow()).watched
  }
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
  await everything.until(({ messages }) => messages.length === 7)
  t.strictSame(listEvents(everything), [
    'BranchCreated release',
    'BranchDeleted release',
    'NewCommit main',
    'NewCommit main',
    'NewCommit other',
    'TagCreated v1',
    'TagDeleted s2',
  ])
  await plain.until(({ messages }) => messages.length === 2)
  t.strictSame(listEvents(plain), ['NewCommit main', 'NewCommit main'])
  await branches.until(({ messages }) => messages.length === 1)
  await tags.until(({ messages }) => messages.length === 1)
  t.strictSame([branches, tags].map(listEvents), [['NewCommit other'], ['TagCreated v1']])
  const resumed = await follow(t, `${meta}/events?after=0&branches=other&events=NewCommit`, apiKey)
  await resumed.until(({ messages }) => messages.length === 1)
  t.strictSame(listEvents(resumed), ['NewCommit other'], 'what is recorded is sent to whoever selects it')
})

t.test('a wrong pattern or event is refused at its place', async (t) => {
  const server = await startServer(t)
  for (const query of ['branches=', `branches=${'*/'.repeat(9)}`, 'events=Commit', 'events=NewCommit&events=Tag']) {
    const response = await server.get(`events?${query}`)
    t.equal(response.status, 400, query)
    t.match((await response.json()).errors, [{ pointer: /^\/query\/(?:branches|events)/ }])
  }
})

t.test('the streams of an organisation have at most 50 different selections besides main', async (t) => {
  const { db, meta, publicMeta, apiKey, origin } = await startServer(t, { otherOrgs: { globex: [] } })
  const selectionOf = (branch: string) => ({ branches: [branch], tags: false })
  const record = (branch: string, now: number) => {
    const until = new Date(now + 3_600_000)
    return recordStreamSelection(db, { org: 'acme', selection: selectionOf(branch), until }, new Date(now))
  }
  const now = Date.now()
  t.equal(await record('old', now - 7_200_000), true)
  for (let count = 1; count <= 50; count++) t.equal(await record(`branch-${count}`, now), true, String(count))
  const refused = await requestStream(t, `${publicMeta}/events?branches=another`)
  t.equal(refused.statusCode, 429)
  t.equal(refused.headers['retry-after'], '600')
  t.match(JSON.parse(await text(refused)), {
    type: '/problems/too-many-requests',
    detail: /too many different branches/,
  })
  await follow(t, `${meta}/events`, apiKey)
  await follow(t, `${meta}/events?branches=main&branches=branch-7`, apiKey)
  await follow(t, `${origin}/v1/services/open/globex/_meta/events?branches=another`, null)
})
