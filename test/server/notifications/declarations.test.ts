// What a configuration declares about notifications, in the database.
import { defaultFilter } from '@floe/contract/lists'
import { addReceiver, listExpectations, listReceivers } from '@floe/storage/database'
import { t } from 'tap'
import { applyDeclared, type Declarations } from '../../../server/notifications/declarations.ts'
import { expectMain } from '../expectations/start-judging.ts'
import { secrets } from '../../storage/sample-secrets.ts'
import { testOnEngines } from '../../storage/records/database/engines.ts'
import { at, by, claim, moveHead, summary, webhook } from '../../storage/records/database/recorded.ts'
import { rememberRepository } from '../../storage/records/database/remember-repository.ts'

const test = await testOnEngines(t)

const nothing: Declarations = { webhooks: [], chats: [], expectations: [] }

function declare(org: string): Declarations {
  const { kind: _kind, service: _service, ...settings } = webhook('declared')
  const hook = { ...settings, org }
  return {
    webhooks: [
      { ...hook, repo: 'weather' },
      { ...hook, repo: null, alias: 'everything', filter: { ...settings.filter, repos: ['**'] } },
    ],
    chats: [],
    expectations: [
      {
        org,
        ...expectMain('freshness', { settings: { max_age: '6h', due: null, days: null, path: null } }),
        repos: ['*'],
      },
      { org, ...expectMain('contract', { alias: 'maps', document: '{}' }), repos: ['*'] },
    ],
  }
}

function join(one: Declarations, other: Declarations): Declarations {
  return {
    webhooks: [...one.webhooks, ...other.webhooks],
    chats: [],
    expectations: [...one.expectations, ...other.expectations],
  }
}

test('what was declared for an organisation ends when the file no longer has it', async (t, { db }) => {
  const apply = (settings: Declarations, ms: number) =>
    applyDeclared({ db, secrets, settings, timing: { now: () => at(ms).getTime() } })
  const repoIds = new Map<string, string>()
  for (const org of ['acme', 'gone']) repoIds.set(org, await rememberRepository(db, org, 'weather', at(0)))
  await apply(join(declare('acme'), declare('gone')), 0)
  const gone = { org: 'gone', repoId: repoIds.get('gone') ?? '' }
  const added = { ...webhook('added'), ...gone, isEnabled: true, signingSecret: undefined }
  await addReceiver(db, added, { secrets, by: { ...by, org: 'gone' }, now: at(0) })
  await moveHead(db, repoIds.get('acme') ?? '', ['A'], at(1))
  await moveHead(db, gone.repoId, ['G'], at(1))

  await apply(declare('acme'), 2)
  const expected = ['added G', 'declared A', 'everything A']
  t.strictSame(summary(await claim(db, at(3))), expected, 'what waits for a declared receiver is not sent')
  const listed = await Promise.all([listReceivers(db, gone), listReceivers(db, { org: 'gone', repoId: null })])
  t.strictSame(
    listed.flat().map(({ alias }) => alias),
    ['added'],
    'others stay',
  )
  for (const [org, count] of [
    ['acme', 2],
    ['gone', 0],
  ] as const) {
    const repository = { id: repoIds.get(org) ?? '', org, name: 'weather' }
    t.equal((await listExpectations(db, repository)).length, count, org)
  }

  await apply(nothing, 4)
  t.strictSame(await db.selectFrom('receivers').select('alias').execute(), [{ alias: 'added' }])
})

test('the format of a declared webhook is that of the file', async (t, { db }) => {
  const repoId = await rememberRepository(db, 'acme', 'weather', at(0))
  const { webhooks } = declare('acme')
  for (const format of ['cloudevents-binary', 'cloudevents-structured', undefined] as const) {
    const filter = { ...defaultFilter, ...(format && { format }) }
    const settings = { ...nothing, webhooks: webhooks.map((hook) => ({ ...hook, filter })) }
    await applyDeclared({ db, secrets, settings, timing: { now: () => at(0).getTime() } })
    t.match(await listReceivers(db, { org: 'acme', repoId }), [{ filter: { format: format ?? 'standard' } }])
  }
})
