import { openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import { t } from 'tap'
import { explainFailure } from '../../../../server/main/commands/explain-failure.ts'
import { rememberRepository } from '../../../storage/records/database/remember-repository.ts'

t.test('a command that the database refuses says why, without a stack', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  await sql`pragma query_only = on`.execute(db)
  const error = await rememberRepository(db, 'acme', 'weather', new Date()).catch((error: unknown) => error)
  t.match(explainFailure(error), /^The database is read-only now.*: attempt to write a readonly database$/)
  t.equal(explainFailure(new TypeError('a mistake of ours')), undefined)
})
