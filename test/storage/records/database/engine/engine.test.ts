import fc from 'fast-check'
import { sql } from 'kysely'
import { t } from 'tap'
import { matchesGlobs } from '../../../../../storage/records/database/engine/engine.ts'
import { matchesSome } from '../../../../../storage/globs.ts'
import { checkProperty } from '../../../../check-property.ts'
import { testOnEngines } from '../engines.ts'

const test = await testOnEngines(t)

test('patterns match the same texts in statements as elsewhere', async (_, { db }) => {
  const parts = ['*', '**', '**/', '/**', '/', '?', '.', '(', '[', '\\', '_', '%', '+', '-', 'a', 'b', 'ü', '😀', '\n']
  const glob = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((list) => list.join(''))
  const globs = fc.array(glob, { minLength: 1, maxLength: 3 })
  const texts = parts.filter((part) => !/[*?]/.test(part))
  const name = fc.array(fc.constantFrom(...texts), { maxLength: 10 }).map((list) => list.join(''))
  await checkProperty(
    5_000,
    fc.asyncProperty(globs, name, async (globs, name) => {
      const matches = matchesGlobs(db, sql`cast(${name} as text)`, globs).as('matches')
      const row = await db.selectNoFrom(matches).executeTakeFirstOrThrow()
      return Boolean(row.matches) === matchesSome(globs, name)
    }),
  )
})
