import { ensureRepositories } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from './engines.ts'
import { at } from './recorded.ts'
import { rememberRepository } from './remember-repository.ts'

const names = Array.from({ length: 1_200 }, (_, index) => `repo-${index}`)

const test = await testOnEngines(t)

test('many repositories are remembered together, known and new ones', async (t, { db }) => {
  const known = await rememberRepository(db, 'acme', 'repo-700', at(0))
  const elsewhere = await rememberRepository(db, 'other', 'repo-1', at(0))
  const ids = await ensureRepositories(db, 'acme', names, at(1))
  t.strictSame(new Set(ids.keys()), new Set(names))
  t.equal(new Set(ids.values()).size, names.length)
  t.equal(ids.get('repo-700'), known)
  t.not(ids.get('repo-1'), elsewhere)
  const again = await ensureRepositories(db, 'acme', names, at(2))
  t.strictSame(Object.fromEntries(again), Object.fromEntries(ids))
  t.strictSame(await ensureRepositories(db, 'acme', [], at(3)), new Map())
})

test('processes that remember the same names get the same ids', async (t, { db, connect }) => {
  const both = [db, await connect()]
  const [one, other] = await Promise.all(both.map((db) => ensureRepositories(db, 'acme', names, at(0))))
  t.strictSame(Object.fromEntries(one ?? []), Object.fromEntries(other ?? []))
})

test('processes that remember the same names in another order do not deadlock', async (t, { db, connect }) => {
  const other = await connect()
  const some = names.slice(0, 500)
  for (const org of ['a', 'b', 'c', 'd', 'e']) {
    const [one, two] = await Promise.all([
      ensureRepositories(db, org, some, at(0)),
      ensureRepositories(other, org, some.toReversed(), at(0)),
    ])
    t.strictSame(Object.fromEntries(one), Object.fromEntries(two), org)
  }
})
