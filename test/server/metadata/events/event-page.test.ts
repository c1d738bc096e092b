// Events in pages, for callers that ask from time to time.
import { type Database, readHead, recordHeadMove } from '@floe/storage/database'
import { EventPage } from '@floe/contract'
import { t } from 'tap'
import { notification } from '../../../contract/notifications.ts'
import { commit } from '../../../storage/records/database/recorded.ts'
import { rememberRepository } from '../../../storage/records/database/remember-repository.ts'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { basic, startServer } from '../../start-server.ts'

/** Moves the head of a repository to snapshots that letters stand for. */
async function moveHeads(db: Database, repo: string, letters: readonly string[]): Promise<void> {
  const repoId = await rememberRepository(db, 'acme', repo, new Date())
  for (const letter of letters) {
    const snapshotId = `${letter.repeat(19)}0`
    const previous = await readHead(db, repoId, 'main')
    const details = { ...notification.details, repo_name: repo, snapshot_id: snapshotId }
    const event = { payload: JSON.stringify({ ...notification, details }), line: letter }
    await recordHeadMove(db, { repoId, branch: 'main', previous, snapshotId, commit, event }, new Date())
  }
}

async function readPage(meta: string, query: string, key: string | null = null) {
  const headers = key === null ? {} : { authorization: basic('acme', key) }
  const response = await fetch(`${meta}/events/page?${query}`, { headers })
  if (response.status !== 200) return { status: response.status, heads: [], next: '', hasMore: false }
  const { events, next, has_more: hasMore } = EventPage.parse(await response.json())
  return {
    status: 200,
    heads: events.map(({ notification: { details } }) => ('snapshot_id' in details ? details.snapshot_id?.[0] : '')),
    next,
    hasMore,
  }
}

for (const engine of await reachableEngines(t)) {
  // Proves: pages of events hold each event of a caller once and in order
  t.test(`${engine.name}: pages hold each event once and in order`, async (t) => {
    const { db } = await engine.fresh(t)
    const { publicMeta: meta } = await startServer(t, { db })
    await moveHeads(db, 'weather', ['A', 'B', 'C'])
    await moveHeads(db, 'satellite', ['D'])
    const now = await readPage(meta, '')
    t.match(now, { heads: [], hasMore: false }, 'without a position, the present')
    const first = await readPage(meta, 'after=0&limit=2')
    t.match(first, { heads: ['A', 'B'], hasMore: true })
    const second = await readPage(meta, `after=${first.next}&limit=2`)
    t.match(second, { heads: ['C', 'D'], hasMore: false })
    await moveHeads(db, 'weather', ['E'])
    t.match(await readPage(meta, `after=${second.next}`), { heads: ['E'], hasMore: false })
    t.match(await readPage(meta, `after=${now.next}`), { heads: ['E'] })
    t.match(await readPage(meta, 'after=0&repo=satellite'), { heads: ['D'], hasMore: false })
    t.match(await readPage(meta, 'after=0&events=TagCreated'), { heads: [], hasMore: false })
    t.equal((await readPage(meta, 'after=99')).status, 410)
    t.equal((await readPage(meta, 'after=x')).status, 400)
    t.equal((await readPage(meta, 'limit=101')).status, 400)
    t.equal((await readPage(meta, 'repo=nowhere')).status, 404)
  })

  t.test(`${engine.name}: a key gets the events of its repositories, with positions that tell nothing`, async (t) => {
    const { db } = await engine.fresh(t)
    const { meta, weatherKey } = await startServer(t, { db })
    await moveHeads(db, 'satellite', ['A'])
    await moveHeads(db, 'weather', ['B'])
    const page = await readPage(meta, 'after=0', weatherKey)
    t.match(page, { heads: ['B'], hasMore: false, next: /^sealed:/ })
    await moveHeads(db, 'satellite', ['C'])
    t.match(await readPage(meta, `after=${page.next}`, weatherKey), { heads: [] })
    t.equal((await readPage(meta, 'after=1', weatherKey)).status, 410)
    t.equal((await readPage(meta, 'repo=satellite', weatherKey)).status, 403)
    t.equal((await readPage(meta, '')).status, 401)
  })
}
