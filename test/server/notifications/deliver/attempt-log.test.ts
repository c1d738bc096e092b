import type { FinishedAttempt } from '@floe/storage/database'
import { t } from 'tap'
import { AttemptLog } from '../../../../server/notifications/deliver/attempt-log.ts'
import { ManualTiming } from '../manual-timing.ts'
import { makeSampleClaim } from './sample-claim.ts'

function openLines() {
  const timing = new ManualTiming()
  const lines: object[] = []
  const write = (level: string) => (facts: object, message: string) => void lines.push({ level, message, ...facts })
  return { timing, lines, log: new AttemptLog(timing.elapsed, { error: write('error'), warn: write('warn') }) }
}

const retryAt = new Date(5_000)
const retry = { kind: 'retry', dueAt: retryAt } as const
const dead = { kind: 'dead', disableReason: 'a delivery failed 12 times' } as const
const gone = { kind: 'gone', disableReason: 'the receiver answered 410' } as const

function finish(next: FinishedAttempt['next'], { org = 'acme', id = 'hook_1' } = {}) {
  const payload = '{"event":"NewCommit","details":{"repo_name":"weather"}}'
  const event = { id: 'event_1', sequence: 1, recordedAt: new Date(0), line: 'line', payload }
  const claim = makeSampleClaim({ org, id, url: 'https://receiver.test/secret-path' }, { attempt: 3, event })
  const outcome = { startedAt: new Date(0), durationMs: 1, status: 500, error: 'answered 500', responseExcerpt: 'no' }
  return { claim, outcome, next }
}

const facts = {
  org: 'acme',
  repo: 'weather',
  receiver: 'hook_1',
  alias: 'hook',
  kind: 'webhook',
  delivery: 'msg_1',
  attempt: 3,
  error: 'answered 500',
  omitted: 0,
}

t.test('a failed attempt has a line that says why, and when the next one is', async (t) => {
  const { lines, log } = openLines()
  log.note(finish({ kind: 'delivered' }))
  log.note(finish(retry))
  t.strictSame(lines, [{ level: 'warn', message: 'a delivery failed and will be tried again', ...facts, retryAt }])
})

t.test('the last failure of a delivery is an error, with the reason why its receiver was disabled', async (t) => {
  const { lines, log } = openLines()
  log.note(finish(dead))
  log.note(finish(gone))
  log.note(finish({ kind: 'failed' }))
  const disabled = { level: 'error', message: 'a delivery failed for good, and its receiver was disabled', ...facts }
  t.strictSame(lines, [
    { ...disabled, reason: dead.disableReason },
    { ...disabled, reason: gone.disableReason },
    { level: 'error', message: 'a delivery failed and will not be tried again', ...facts },
  ])
  t.notMatch(JSON.stringify(lines), /receiver\.test/, 'no URL')
})

t.test('deliveries that could not be sent have 50 lines in five minutes', async (t) => {
  const { lines, log } = openLines()
  const err = new Error('the key is unknown')
  for (let n = 0; n < 5_000; n++) log.noteUnsent(finish(retry).claim, err)
  t.equal(lines.length, 50)
  const { error: _error, ...unsent } = facts
  t.strictSame(lines[0], { level: 'error', message: 'a delivery could not be sent', ...unsent, err })
})

// Proves: each failed attempt has a line in the log, and thousands of failing receivers do not fill it
t.test(
  '4,000 receivers that fail have 50 lines in five minutes, which hide neither ends nor organisations',
  async (t) => {
    const { timing, lines, log } = openLines()
    for (let n = 0; n < 4_000; n++) log.note(finish(retry, { id: `hook_${n}` }))
    t.equal(lines.length, 50)
    log.note(finish(dead))
    log.note(finish(retry, { org: 'other' }))
    t.match(lines.slice(50), [
      { level: 'error', omitted: 0 },
      { org: 'other', omitted: 0 },
    ])
    await timing.pass(300_000, 100_000)
    log.note(finish(retry))
    t.match(lines[52], { org: 'acme', omitted: 3_950 })
  },
)
