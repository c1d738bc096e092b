import { Problem } from '@floe/contract'
import { addExpectation, createApiKey, type LanedDatabase } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { ServiceStatus } from '../../../../contract/schemas/service-status.ts'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { contract } from '../../../storage/records/database/expectations/expected.ts'
import { optionsAt } from '../../../storage/records/database/receivers/edit-receivers.ts'
import { repositoryWith, webhook } from '../../../storage/records/database/recorded.ts'
import { systemTiming, type Timing } from '../../../../server/timing.ts'
import { basic, startServer } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'

/** A minute passes in 20 ms. */
const after: Timing['after'] = (ms, callback) => systemTiming.after(ms === 60_000 ? 20 : ms, callback)

async function startWithOperator(t: Test, db: LanedDatabase) {
  const server = await startServer(t, { db, after, hasSearch: true, hasOperator: true })
  const ask = (path: string, ofKey: string | undefined, accept = 'application/json') =>
    fetch(`${server.origin}${path}`, {
      headers: { accept, ...(ofKey !== undefined && { authorization: basic('acme', ofKey) }) },
    })
  return { server, ask }
}

for (const engine of await reachableEngines(t)) {
  t.test(`an operator sees what is in trouble, as JSON and as a page (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const { server, ask } = await startWithOperator(t, db)
    await server.notifier.start()
    // Of a repository that is not served, so that nothing is sent and nothing changes by itself.
    const { repoId } = await repositoryWith(
      db,
      ['failing', 'disabled', 'stopped', 'healthy'].map((alias) => webhook(alias)),
      'lost',
    )
    const since = Date.now() - 60_000
    const setState = (alias: string, state: object) =>
      db.updateTable('receivers').set(state).where('alias', '=', alias).execute()
    const lastFailure = JSON.stringify({ status: 500, error: 'answered 500 <b>' })
    await setState('failing', { failing_since: since, last_failure: lastFailure })
    await setState('disabled', { failing_since: since + 1, is_enabled: 0, disabled_reason: 'refused 12 times' })
    const byAdministrator = 'disabled by an administrator'
    await setState('stopped', { failing_since: since, is_enabled: 0, disabled_reason: byAdministrator })
    await db.updateTable('repositories').set({ unreadable_since: since }).where('name', '=', 'lost').execute()

    const added = { ...contract, repos: ['**'] }
    const { expectation } = await addExpectation(db, { org: 'acme' }, added, optionsAt(0))
    const facts = JSON.stringify({ breaking_changes: 1, breaks: ['t2m is <b>'], changes: [] })
    const state = { expectation_id: expectation.id, repo_id: repoId, branch: 'main', head_id: 'A', facts }
    const unmet = { ...state, judged_version: 1, verdict: 'unmet', unmet_since: since } as const
    await db.insertInto('expectation_states').values(unmet).execute()
    await waitUntil(async () => (await (await ask('/status', server.adminKey)).json()).samples.length > 0)

    const response = await ask('/status', server.adminKey)
    t.equal(response.status, 200)
    t.equal(response.headers.get('cache-control'), 'no-store')
    const status = ServiceStatus.parse(await response.json())
    t.match(status, {
      problems: ['failing webhooks and chats: 2', 'repositories that cannot be read: 1', 'broken contracts: 1'],
      not_ready: [],
      replicas: [{ pid: process.pid, version: '0.0.0', poll_partitions: 256, answers: true }],
      heads: { late: 0, repositories: [] },
      queues: { waiting: Number, overdue_s: Number },
      index: { pending: Number },
      stores: { locations: [], repositories: [{ org_name: 'acme', repo_name: 'lost' }] },
      expectations: [{ org_name: 'acme', repo_name: 'lost', branch: 'main', kind: 'contract', summary: /^breaks its/ }],
      samples: [{ late_polls: 0, deliveries_waiting: 0, requests_refused: 0 }],
    })
    t.strictSame(
      status.receivers.map(({ repo_name, alias, error, disabled_reason }) => [
        repo_name,
        alias,
        error,
        disabled_reason,
      ]),
      [
        ['lost', 'failing', 'answered 500 <b>', null],
        ['lost', 'disabled', null, 'refused 12 times'],
      ],
    )
    const page = await ask('/status', server.adminKey, 'text/html')
    t.match(page.headers.get('content-type'), 'text/html')
    const text = await page.text()
    for (const shown of [
      'answered 500 &lt;b&gt;',
      'disabled: refused 12 times',
      'acme/lost',
      'failing webhooks and chats: 2',
      't2m is &lt;b&gt;',
      'Requests refused: <b>0</b>',
    ])
      t.match(text, shown)
  })
}

t.test('to all other keys, the address is one that does not exist', async (t) => {
  const [engine] = await reachableEngines(t)
  if (engine === undefined) throw new Error('there is no engine')
  const { db } = await engine.fresh(t)
  const { ask } = await startWithOperator(t, db)
  const key = await createApiKey(db, { org: 'acme', role: 'admin', repos: null }, new Date())
  for (const accept of ['application/json', 'text/html']) {
    const [status, nothing] = await Promise.all(['/status', '/statue'].map((path) => ask(path, key, accept)))
    t.equal(status?.status, 404)
    const [headers, others] = [status, nothing].map((response) => [...(response?.headers.keys() ?? [])])
    t.strictSame(headers, others)
    if (accept === 'text/html') continue
    const problems = [status, nothing].map(async (response) => Problem.parse(await response?.json()))
    const [refused, missing] = (await Promise.all(problems)).map(({ instance: _, ...problem }) => problem)
    t.strictSame(refused, { ...missing, detail: missing?.detail.replace('statue', 'status') })
  }
  t.equal((await ask('/status', key.replace(/.$/, '!'))).status, 401)
  t.equal((await ask('/status', undefined)).status, 401)
})

t.test('callers without a key are asked for one, whether or not there are operators', async (t) => {
  const server = await startServer(t)
  const response = await fetch(`${server.origin}/status`)
  t.equal(response.status, 401)
  t.match(response.headers.get('www-authenticate'), 'Basic realm="Floe"')
})
