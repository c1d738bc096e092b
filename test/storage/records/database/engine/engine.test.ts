import fc from 'fast-check'
import { sql } from 'kysely'
import { t } from 'tap'
import { matchesGlobs } from '../../../../../storage/records/database/engine/engine.ts'
import { matchesSome } from '../../../../../storage/globs.ts'
import { testOnEngines } from '../engines.ts'

const test = await testOnEngines(t)

test('patterns match the same texts in statements as elsewhere', async (t, { db }) => {
  const parts = ['*', '**', '**/', '/**', '/', '?', '.', '(', '[', '\\', '_', '%', '+', '-', 'a', 'b', 'ü', '😀', '\n']
  const glob = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((list) => list.join(''))
  const text = fc.array(fc.constantFrom(...parts.filter((part) => !/[*?]/.test(part))), { maxLength: 10 })
  const pair = fc.tuple(
    fc.array(glob, { minLength: 1, maxLength: 3 }),
    text.map((list) => list.join('')),
  )
  for (const [globs, name] of fc.sample(pair, 500)) {
    const matches = matchesGlobs(db, sql`cast(${name} as text)`, globs).as('matches')
    const row = await db.selectNoFrom(matches).executeTakeFirstOrThrow()
    if (Boolean(row.matches) !== matchesSome(globs, name)) t.fail(JSON.stringify({ globs, name, row }))
  }
  t.ok(true)
})
