// What the crash tests take for a fault among the requests of a receiver.
import { t } from 'tap'
import { checkQueue, CrashFindings } from '../../../scripts/crash/checks.ts'
import type { Arrival } from '../../../scripts/crash/world/receivers.ts'

/** Checks requests, given as id, attempt and status; the nth id has the nth payload. */
function check(
  requests: readonly (readonly [string, number, number | null])[],
  unanswered: readonly string[],
  everyMs = 1_000,
) {
  const ids = [...new Set(requests.map(([id]) => id))]
  const arrivals = requests.map(([id, attempt, status], index): Arrival => {
    const exchange = { connection: { from: 1, to: 2 }, at: index * everyMs, endedAt: index * everyMs + 10 }
    return { id, attempt, status, body: `event ${ids.indexOf(id)}`, ...exchange }
  })
  const findings = new CrashFindings(2)
  const processes = { kills: [500, 1_500].map((at) => ({ at, process: 7 })), findSender: () => 7 }
  const payloads = ids.map((_, index) => `event ${index}`)
  checkQueue('north/failing', arrivals, { payloads, unanswered: new Set(unanswered), processes }, findings)
  const { faults, retries, unseen, repeated } = findings
  return { faults: faults.map((fault) => fault.replace('north/failing: ', '')), retries, unseen, repeated }
}

t.test('retries, and attempts that a kill interrupted, are no faults', async (t) => {
  const requests = [
    ['a', 1, 500],
    ['a', 2, null],
    ['a', 2, 204],
    ['b', 1, 204],
  ] as const
  t.strictSame(check(requests, []), { faults: [], retries: 1, unseen: 0, repeated: 1 })
})

t.test('a number may be missing if its attempt is recorded without an answer', async (t) => {
  const requests = [
    ['a', 1, 500],
    ['a', 2, 500],
    ['a', 4, 204],
    ['b', 2, 204],
  ] as const
  t.strictSame(check(requests, ['a 3', 'b 1']), { faults: [], retries: 2, unseen: 2, repeated: 0 })
  t.strictSame(check(requests, ['b 1']).faults, ['a, attempt 4: came without attempt 3'])
  t.strictSame(check(requests, ['a 3']).faults, ['b, attempt 2: came without attempt 1'])
})

t.test('a number that goes back, a retry of what was accepted and an event too late are faults', async (t) => {
  const back = [
    ['a', 2, 500],
    ['a', 1, 204],
  ] as const
  t.strictSame(check(back, ['a 1']).faults, ['a, attempt 1: follows attempt 2'])
  const again = [
    ['a', 1, 204],
    ['a', 2, 204],
  ] as const
  t.strictSame(check(again, []).faults, ['a, attempt 2: was retried although it was accepted'])
  t.strictSame(check(again, ['a 1'], 9_000).faults, [], 'its answer may have come too late')
  t.strictSame(check(again, ['a 1'], 8_999).faults, ['a, attempt 2: was retried although it was accepted'])
  const overtaken = [
    ['a', 1, 500],
    ['b', 1, 204],
  ] as const
  t.strictSame(check(overtaken, []).faults, ['b, attempt 1: came before the previous delivery was accepted'])
})
