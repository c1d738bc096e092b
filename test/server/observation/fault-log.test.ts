import { ObjectStoreError } from '@floe/storage/objects'
import { t } from 'tap'
import { FaultLog } from '../../../server/observation/fault-log.ts'
import { notePostgresError } from '../../../storage/records/database/engine/statement-errors.ts'
import { ManualTiming } from '../notifications/manual-timing.ts'

function openFaults() {
  const timing = new ManualTiming()
  const lines: object[] = []
  const write = (level: string) => (facts: object, message: string) => void lines.push({ level, message, ...facts })
  return { timing, lines, faults: new FaultLog(timing.elapsed, { error: write('error'), warn: write('warn') }) }
}

const makeRefused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

const refused = makeRefused()
notePostgresError(refused)

// Proves: while the database is away, the log has one line with the cause, and one when it is back
t.test('all that fails while the database is away is one line, and its return is another', async (t) => {
  const { timing, lines, faults } = openFaults()
  faults.noteAnswer()
  for (const message of ['notifications failed', 'search failed to index', 'metrics could not be read']) {
    faults.note(refused, message, { reqId: 'a' })
    await timing.pass(20_000)
  }
  t.strictSame(lines, [
    { level: 'error', message: 'the database cannot be used', err: refused, reason: 'The database cannot be used now' },
  ])
  faults.noteAnswer()
  faults.noteAnswer()
  t.strictSame(lines.slice(1), [{ level: 'warn', message: 'the database can be used again', failures: 3, seconds: 40 }])
  faults.note(refused, 'notifications failed')
  t.equal(lines.length, 3, 'the next outage has a line of its own')
})

t.test('an answer within ten seconds of a failure does not end an outage', async (t) => {
  const { timing, lines, faults } = openFaults()
  for (let n = 0; n < 100; n++) {
    faults.note(refused, 'notifications failed')
    await timing.pass(3_000)
    faults.noteAnswer()
  }
  t.equal(lines.length, 1)
  await timing.pass(10_000)
  faults.noteAnswer()
  t.match(lines[1], { failures: 100, seconds: 297 })
})

t.test('other failures keep their lines, also those of stores and pipes that cannot be reached', async (t) => {
  const { lines, faults } = openFaults()
  const bug = new TypeError('a bug')
  const store = new ObjectStoreError('s3://bucket', 'repo', 'cannot be read', { code: 'ECONNREFUSED' })
  faults.note(bug, 'notifications failed')
  faults.note(store, 'a store failed', { reqId: 'a' })
  t.strictSame(lines, [
    { level: 'error', message: 'notifications failed', err: bug },
    { level: 'error', message: 'a store failed', err: store, reqId: 'a' },
  ])
  for (const code of ['EPIPE', 'ENOTFOUND', 'ECONNRESET', '57P01']) {
    const err = Object.assign(new Error('another program has failed'), { code })
    faults.note(err, 'an answer could not be written')
    t.strictSame(lines.at(-1), { level: 'error', message: 'an answer could not be written', err })
  }
  const pipe = makeRefused()
  faults.note(pipe, 'a pipe failed')
  t.strictSame(lines.at(-1), { level: 'error', message: 'a pipe failed', err: pipe })
})
