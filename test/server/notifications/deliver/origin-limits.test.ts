import type { AttemptOutcome } from '@floe/storage/database'
import { t } from 'tap'
import { OriginLimits } from '../../../../server/notifications/deliver/origin-limits.ts'

const chat = 'chat.test:443'
const atChat = { origin: chat, receiver: { org: 'acme' } }
const good = { status: 200, durationMs: 500, error: null }
const failed = { ...good, error: 'failed' }

/** Attempts at one host that end in rounds, each round at once. */
function attend(limits = new OriginLimits()) {
  let now = 0
  let inFlight = 0
  const measureRoom = () => {
    const { byOrigin, ofOthers } = limits.measureRooms(now)
    return (byOrigin.get(chat) ?? ofOthers).total
  }
  const fill = () => {
    for (let left = measureRoom(); left > 0; left--) {
      limits.take(atChat, now)
      inFlight += 1
    }
    return inFlight
  }
  return {
    limits,
    fill,
    measureRoom,
    pass: (ms: number) => (now += ms),
    /** Ends all attempts. Returns how many are in flight in the next round. */
    endRound: (outcome?: Pick<AttemptOutcome, 'status' | 'durationMs' | 'error'>) => {
      for (; inFlight > 0; inFlight--) limits.release(atChat, now, outcome)
      return fill()
    },
  }
}

t.test('the limit of a host grows by 32 with each round of good answers, up to 256', async (t) => {
  const { fill, endRound } = attend()
  t.equal(fill(), 32)
  const rounds = Array.from({ length: 30 }, () => endRound(good))
  const steps = rounds.map((size, index) => size - (rounds[index - 1] ?? 32))
  t.ok(Math.max(...steps) <= 32, steps.join(' '))
  t.ok((rounds[8] ?? 0) >= 100, 'room for 200 a second of half a second each, after nine rounds')
  t.equal(rounds.at(-1), 256)
})

t.test('a host that does not answer keeps 32, and one that grew goes back to them', async (t) => {
  const { fill, endRound } = attend()
  fill()
  t.equal(endRound({ ...failed, status: null, durationMs: 5_000 }), 32)
  for (let round = 0; round < 30; round++) endRound(good)
  t.equal(endRound({ ...failed, status: null, durationMs: 5_000 }), 32)
})

t.test('an organisation gets half of what the others leave', async (t) => {
  const limits = new OriginLimits()
  const measure = () => limits.measureRooms(0).byOrigin.get(chat)
  t.match(limits.measureRooms(0).ofOthers, { total: 32, ofOthers: 16 })
  for (let n = 0; n < 16; n++) limits.take(atChat, 0)
  t.strictSame(measure(), { total: 16, ofOthers: 8, byTenant: new Map([['acme', 0]]) })
  limits.take({ ...atChat, receiver: { org: 'globex' } }, 0)
  limits.release(atChat, 0)
  t.strictSame(measure()?.byTenant.get('acme'), 1)
})

t.test('slow answers, 429 and 5xx halve the limit, and quick refusals leave it', async (t) => {
  for (const bad of [
    { ...good, durationMs: 1_001 },
    { ...failed, status: 429 },
    { ...failed, status: 503 },
  ]) {
    const { limits, fill, endRound } = attend()
    fill()
    for (let round = 0; round < 30; round++) endRound(good)
    limits.release(atChat, 0, bad)
    t.equal(limits.measureRooms(0).byOrigin.get(chat)?.total, 128 - 255, String(bad.status))
  }
  const { fill, endRound } = attend()
  fill()
  const before = endRound(good)
  t.equal(endRound({ ...failed, status: 404, durationMs: 3 }), before)
  t.equal(endRound(failed), before, 'a chat that answers 200 and says that it failed')
  t.equal(endRound(), before, 'an attempt that broke')
})

t.test('answers to a few attempts do not let the limit grow', async (t) => {
  const { limits, measureRoom } = attend()
  for (let n = 0; n < 1_000; n++) {
    limits.take(atChat, 0)
    limits.release(atChat, 0, good)
  }
  t.equal(measureRoom(), 32)
  t.equal(limits.measureRooms(0).byOrigin.size, 0, 'nothing is remembered of such a host')
})

t.test('a limit that grew is forgotten after a minute without attempts', async (t) => {
  const { limits, fill, endRound, pass, measureRoom } = attend()
  fill()
  const size = endRound(good)
  for (let n = 0; n < size; n++) limits.release(atChat, 0)
  pass(60_000)
  t.equal(measureRoom(), size)
  pass(1)
  t.equal(measureRoom(), 32)
})
