// The history of a ref, and what a receiver of a notification reads next.
import type { NewCommitDetails } from '@floe/contract'
import { t } from 'tap'
import { readHistory } from '../server/notifications/fixture-histories.ts'
import { startServer } from '../server/start-server.ts'
import { createTestClient } from './create-test-client.ts'

const server = await startServer(t)

async function collect(commits: AsyncIterable<{ readonly snapshot_id: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { snapshot_id: id } of commits) ids.push(id)
  return ids
}

/** The details of a notification that leaves the commits out. */
function buildDetails(repo: string, head: string, previous: string, reason: 'too_many_commits' | 'repo_format_v1') {
  return {
    org_name: 'acme',
    repo_name: repo,
    repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    branch: 'main',
    snapshot_id: head,
    parent_snapshot_id: null,
    previous_snapshot_id: previous,
    commit_message: '',
    written_at: '2026-11-21T12:00:00.123Z',
    author_id: 'unknown',
    commits: null,
    commits_unavailable_reason: reason,
  } satisfies NewCommitDetails
}

for (const [repo, reason] of [
  ['weather', 'too_many_commits'],
  ['weather-v1', 'repo_format_v1'],
] as const) {
  t.test(`${repo}: the history is iterated from the head to the first snapshot`, async (t) => {
    const floe = createTestClient(server)
    const { head, ids } = await readHistory(repo)
    t.strictSame(await collect(floe.history({ repo, ref: 'main' })), ids)
    t.strictSame(await collect(floe.history({ repo, ref: head, before: ids[1], until: ids[4] })), ids.slice(2, 4))
    t.strictSame(await collect(floe.history({ repo, ref: 'main', until: '00000000000000000000' })), ids)
  })

  // Proves: a history stops before `until`, such as the previous head of a notification
  t.test(`${repo}: the commits that a notification leaves out are iterated back to its previous head`, async (t) => {
    const floe = createTestClient(server)
    const { head, ids } = await readHistory(repo)
    const details = buildDetails(repo, head, ids[3] ?? '', reason)
    t.strictSame(await collect(floe.missed(details)), ids.slice(0, 3))
    t.strictSame(await collect(floe.missed({ event: 'NewCommit', details })), ids.slice(0, 3))
    const rewritten = { ...details, previous_snapshot_id: '00000000000000000000' }
    await t.rejects(collect(floe.missed(rewritten)), { name: 'HistoryRewrittenError' })
    t.throws(() => floe.missed({ ...details, commits_unavailable_reason: 'history_rewritten' }), { name: 'TypeError' })
    t.throws(() => floe.missed({ ...details, org_name: 'other' }), { name: 'TypeError' })
  })

  t.test(`${repo}: a client at a notification reads just its snapshot`, async (t) => {
    const floe = createTestClient(server)
    const { ids } = await readHistory(repo)
    const [, older = ''] = ids
    const there = floe.at(buildDetails(repo, older, ids[3] ?? '', reason))
    const names = { repo, ref: older }
    const group = 'wind/speed'
    t.strictSame(await there.datasets(), await floe.datasets(names))
    t.strictSame(await there.datasets({ group: 'wind' }), await floe.datasets({ ...names, group: 'wind' }))
    for (const view of ['info', 'keys', 'dict'] as const) {
      t.strictSame(await there[view]({ group }), await floe[view]({ ...names, group }), view)
    }
    t.strictSame(await collect(there.history()), ids.slice(1))
    t.strictSame(await collect(there.history({ until: ids[3] })), ids.slice(1, 3))
  })
}

t.test('an aborted iteration throws at once, although the page has more commits', async (t) => {
  const end = new AbortController()
  const commits = createTestClient(server).history({ repo: 'weather', ref: 'main' }, { signal: end.signal })
  t.match(await commits.next(), { done: false })
  end.abort(new Error('changed my mind'))
  await t.rejects(commits.next(), { message: 'changed my mind' })
})

t.test('a service whose pages run in a circle does not hold the caller for ever', async (t) => {
  const next = '1CECHNKREP0F1RSTCMT0'
  const floe = createTestClient(server, {
    fetch: async () => Response.json({ commits: [], next, until_found: null, missing_snapshot_id: null }),
  })
  await t.rejects(collect(floe.history({ repo: 'weather', ref: 'main' })), /runs in a circle/)
})

t.test('the history of a path has only the commits that changed it, with what they did', async (t) => {
  const floe = createTestClient(server)
  const whole = await collect(floe.history({ repo: 'weather', ref: 'main' }))
  const commits = await Array.fromAsync(floe.history({ repo: 'weather', ref: 'main', path: 'forecast/temperature' }))
  t.ok(commits.length > 0 && commits.length < whole.length)
  for (const { changes } of commits) t.match(changes, { nodes: [{ path: 'forecast/temperature' }], count: 1 })
})
