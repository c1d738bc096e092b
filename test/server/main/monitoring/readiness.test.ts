import { Problem } from '@floe/contract'
import { t } from 'tap'
import { listReasons } from '../../../../server/main/monitoring/readiness.ts'
import { startServer } from '../../start-server.ts'

const no = () => false
const yes = () => true

// Proves: `/readyz` names the parts that are not ready, and `/healthz` still answers 200
t.test('what is not ready is named', async (t) => {
  const { origin, db, notifier } = await startServer(t)
  await notifier.start()
  const parts = { db, areNotificationsStarted: notifier.hasStarted }
  const reasons = async (isOverloaded: () => boolean, isStopping: () => boolean) =>
    (await listReasons({ ...parts, isOverloaded, isStopping })).map(({ text }) => text)
  t.strictSame(await reasons(no, no), [])
  t.match(await reasons(yes, no), [/Memory or processor time/])
  t.match(await reasons(no, yes), [/stopping/])
  await db.schema.dropTable('repositories').execute()
  t.match(await reasons(yes, yes), [/stopping/, /Memory/, /database/])
  const response = await fetch(`${origin}/readyz`)
  t.equal(response.status, 503)
  t.match(Problem.parse(await response.json()), { detail: 'The database does not answer' })
  t.equal((await fetch(`${origin}/healthz`)).status, 200, 'the process lives all the same')
})
