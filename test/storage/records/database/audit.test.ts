import { listAudit, recordAudit } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from './engines.ts'
import { at, auditEntry, by } from './recorded.ts'
import { rememberRepository } from './remember-repository.ts'

const test = await testOnEngines(t)

test('entries are listed in pages by repository, newest first', async (t, { db }) => {
  const repoId = await rememberRepository(db, 'acme', 'weather', at(0))
  const entry = (n: number) => auditEntry(repoId, { subjectId: `s${n}`, before: { n }, after: { n: { ü: [n, null] } } })
  for (const n of [1, 2, 3, 4, 5]) await recordAudit(db, entry(n), { by, now: at(n) })
  await recordAudit(db, auditEntry('another'), { by, now: at(3) })
  await recordAudit(db, { ...auditEntry(repoId), repoId: null }, { by, now: at(3) })
  const first = await listAudit(db, { repoId, limit: 2 })
  t.match(
    first.map(({ id: _, at: __, ...told }) => told),
    [entry(5), entry(4)],
  )
  t.strictSame(first[0]?.at, at(5))
  const rest = await listAudit(db, { repoId, before: first[1]?.id, limit: 9 })
  t.strictSame(
    rest.map(({ subjectId }) => subjectId),
    ['s3', 's2', 's1'],
  )
  t.strictSame(await listAudit(db, { repoId, before: rest[2]?.id, limit: 9 }), [])
  t.strictSame(await listAudit(db, { repoId: 'another', before: first[1]?.id, limit: 9 }), [])
})

test('entries of an organisation are listed in pages, those of some repositories alone or all', async (t, { db }) => {
  const [weather, satellite, elsewhere] = await Promise.all(
    [
      ['acme', 'weather'],
      ['acme', 'satellite'],
      ['other', 'weather'],
    ].map(([org = '', name = '']) => rememberRepository(db, org, name, at(0))),
  )
  const tell = (repoId: string | null, n: number, org = 'acme') =>
    recordAudit(db, { ...auditEntry(''), repoId, subjectId: `s${n}` }, { by: { ...by, org }, now: at(n) })
  await tell(weather ?? '', 1)
  await tell(satellite ?? '', 2)
  await tell(null, 3)
  await tell(elsewhere ?? '', 4, 'other')
  await tell(null, 5, 'other')
  await tell(weather ?? '', 6)
  await tell('never seen', 7)
  const list = async (org: string, repos: readonly string[] | null, before?: string, limit = 9) =>
    (await listAudit(db, { org, repos, before, limit })).map(({ subjectId, repoName }) => [subjectId, repoName])
  t.strictSame(await list('acme', null), [
    ['s7', null],
    ['s6', 'weather'],
    ['s3', null],
    ['s2', 'satellite'],
    ['s1', 'weather'],
  ])
  t.strictSame(await list('acme', ['weather']), [
    ['s6', 'weather'],
    ['s1', 'weather'],
  ])
  t.strictSame(await list('acme', ['satellite', 'weather'], undefined, 2), [
    ['s6', 'weather'],
    ['s2', 'satellite'],
  ])
  t.strictSame(await list('other', ['weather']), [['s4', 'weather']])
  const [, second] = await listAudit(db, { org: 'acme', repos: null, limit: 2 })
  t.strictSame(await list('acme', null, second?.id, 2), [
    ['s3', null],
    ['s2', 'satellite'],
  ])
  const [ofKeys] = await listAudit(db, { org: 'acme', repos: null, before: second?.id, limit: 1 })
  t.strictSame(await list('acme', ['weather'], ofKeys?.id), [], 'an entry outside of what is covered is no mark')
  t.strictSame(await list('other', null, second?.id), [])
  t.match(await listAudit(db, { repoId: weather ?? '', limit: 1 }), [{ repoName: 'weather' }])
})
