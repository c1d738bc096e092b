import { CompiledQuery } from 'kysely'
import { t } from 'tap'
import { SerialConnection } from '../../../../../storage/records/database/sqlite/serial-connection.ts'
import { SqliteDriver } from '../../../../../storage/records/database/sqlite/sqlite-driver.ts'

t.test('a thread that answers nothing, because it is closing, is no table without the row', async (t) => {
  const connect = async () => ({ isRunning: true, run: async () => [], stop: async () => {} })
  const threads = { writer: new SerialConnection(connect, 100), reader: new SerialConnection(connect, 100) }
  const connection = await new SqliteDriver({ ...threads, isUrgent: false }).acquireConnection()
  await t.rejects(connection.executeQuery(CompiledQuery.raw('select 1')), {
    name: 'SqliteError',
    message: 'the database is closed',
  })
})
