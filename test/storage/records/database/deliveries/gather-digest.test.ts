// Digests: what waits, when it leaves, and that nothing is lost, sent twice or overtaken, whatever happens between.
import assert from 'node:assert/strict'
import {
  applyDeclaredReceivers,
  type ClaimedDelivery,
  type Database,
  findReceiver,
  gatherDigest,
  type GatheredEvents,
  listDeliveries,
  listDueDigests,
  listReceivers,
  openDatabase,
  readOutlook,
  redeliver,
  removeReplica,
  updateReceiver,
} from '@floe/storage/database'
import type { QuietHours, Severity } from '@floe/contract/lists'
import fc from 'fast-check'
import { t } from 'tap'
import { recordNextEvents } from '../../../../../storage/records/database/events/record-events.ts'
import { transact } from '../../../../../storage/records/database/transact.ts'
import { checkProperty } from '../../../../check-property.ts'
import { secrets } from '../../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import { at, by, claim, finish, moveHead, setEnabled, webhook } from '../recorded.ts'
import { rememberRepository } from '../remember-repository.ts'

const hour = 3_600_000
/** The tests begin at midnight. */
const quiet: QuietHours = { from: '22:00', to: '07:00' }
const [morning, day] = [at(7 * hour), at(12 * hour)]
const chat = { kind: 'chat', service: 'slack', repos: ['**'] } as const

/** Two repositories, and a chat of their organisation. */
async function makeWorld(db: Database, changes: Parameters<typeof webhook>[1] = { quiet }) {
  const repos = [await rememberRepository(db, 'acme', 'sea', at(0)), await rememberRepository(db, 'acme', 'air', at(0))]
  const owner = { org: 'acme', repoId: null }
  // A new chat is not told of heads that are older.
  await applyDeclaredReceivers(db, owner, [webhook('team', { ...chat, ...changes })], { secrets, now: at(0) })
  // Declared ones cannot be changed.
  await db.updateTable('receivers').set({ is_declared: 0 }).execute()
  const [receiver] = await listReceivers(db, owner)
  assert.ok(receiver)
  const [sea = '', air = ''] = repos
  const gather = async (now: Date) => {
    const options = { describe: (gathered: GatheredEvents) => JSON.stringify(gathered), dueBy: now, now }
    for (const id of await listDueDigests(db, now)) await gatherDigest(db, id, options)
  }
  const list = async () => (await listDeliveries(db, { ...owner, limit: 100 })).toReversed()
  return {
    sea,
    air,
    receiver,
    gather,
    list,
    /** What is sent, by line, or by the lines and counts of a digest. */
    send: async (now: Date): Promise<readonly ClaimedDelivery[]> => {
      await gather(now)
      return claim(db, now)
    },
    expect: (repoId: string, severity: Severity, now: Date) =>
      transact(db, (tx) =>
        recordNextEvents(
          tx,
          [
            {
              repoId,
              name: 'ExpectationUnmet',
              ref: { kind: 'expectation', id: 'x', name: 'main' },
              severity,
              ...late,
            },
          ],
          now,
        ),
      ),
  }
}

const late = { payload: '{"to":"late"}', line: 'LATE', expectationKind: 'freshness' } as const
const alerts = { quiet, events: ['NewCommit', 'ExpectationUnmet'] } as const

const readDigest = (sent: ClaimedDelivery | undefined) => JSON.parse(sent?.digest ?? 'null') as GatheredEvents | null

const test = await testOnEngines(t)

// Proves: what a chat is not told in its quiet hours comes as one message when they end
test('what happens in quiet hours waits for their end, and is one message then', async (t, { db }) => {
  const { sea, air, send, list } = await makeWorld(db)
  await moveHead(db, sea, ['A', 'B'], at(0))
  await moveHead(db, air, ['C'], at(1))
  t.strictSame(await send(at(7 * hour - 1)), [])
  t.match(
    await list(),
    ['A', 'B', 'C'].map((id) => ({ line: `now at ${id}`, state: 'pending', nextAttemptAt: morning, digestId: null })),
    'the log says until when',
  )
  t.strictSame((await readOutlook(db, 'a')).digestAt, morning)
  const sent = await send(morning)
  t.equal(sent.length, 1)
  t.match(readDigest(sent[0]), {
    org: 'acme',
    total: 3,
    since: at(0).toISOString(),
    told: [],
    repositories: [
      { repo: 'air', counts: { NewCommit: 1 }, events: 1, last: { line: 'now at C' } },
      { repo: 'sea', counts: { NewCommit: 2 }, events: 2, last: { line: 'now at B' } },
    ],
  })
  await finish(db, sent, { kind: 'delivered' }, morning)
  const digestId = sent[0]?.deliveryId
  t.match(
    await list(),
    Array.from({ length: 3 }, () => ({ state: 'delivered', attemptCount: 1, digestId, lastAttempt: { status: 200 } })),
    'the log says with which',
  )
  await send(at(7 * hour + 1_000))
  t.strictSame((await readOutlook(db, 'a')).digestAt, null)
  await moveHead(db, sea, ['D'], day)
  t.match(await send(day), [{ digest: null, event: { line: 'now at D' } }], 'by day, each comes at once')
})

// Proves: critical alerts wait for no digest
test('a critical alert goes at once, and other alerts are told first', async (t, { db }) => {
  const { sea, expect, send } = await makeWorld(db, alerts)
  await moveHead(db, sea, ['A'], at(0))
  await expect(sea, 'warning', at(1))
  await expect(sea, 'critical', at(2))
  const urgent = await send(at(3))
  t.match(urgent, [{ digest: null, event: { line: 'LATE', sequence: 2 } }])
  await finish(db, urgent, { kind: 'delivered' }, at(4))
  const digest = readDigest((await send(morning))[0])
  t.match(digest, { total: 2, told: [{ line: 'LATE' }], repositories: [{ repo: 'sea', counts: { NewCommit: 1 } }] })
})

test('a chat gets the alerts of its least severity, and commits whatever it is', async (t, { db }) => {
  const { sea, expect, send } = await makeWorld(db, { events: alerts.events, severity: 'warning' })
  await expect(sea, 'info', at(1))
  t.strictSame(await send(at(2)), [])
  await expect(sea, 'warning', at(3))
  const warned = await send(at(4))
  t.match(warned, [{ event: { line: 'LATE', sequence: 2 } }])
  await finish(db, warned, { kind: 'delivered' }, at(5))
  await moveHead(db, sea, ['A'], at(6))
  t.match(await send(at(7)), [{ event: { line: 'now at A' } }])
})

test('a digest of the day or of the week comes at its time, and has what happened since the last', async (t, {
  db,
}) => {
  const { sea, send } = await makeWorld(db, { quiet, digest: { at: '07:30', every: 'day' } })
  const times = [at(7.5 * hour), at(31.5 * hour)]
  for (const [index, time] of times.entries()) {
    await moveHead(db, sea, [`A${index}`, `B${index}`], new Date(time.getTime() - 7 * hour))
    t.strictSame(await send(new Date(time.getTime() - 1)), [])
    const sent = await send(time)
    t.match(readDigest(sent[0]), { total: 2 + index, repositories: [{ last: { line: `now at B${index}` } }] })
    await moveHead(db, sea, [`C${index}`], time)
    await finish(db, sent, { kind: 'delivered' }, time)
    t.strictSame(await send(new Date(time.getTime() + hour)), [], 'what comes later waits for the next one')
  }
  const weekly = await openDatabase('sqlite::memory:')
  t.teardown(() => weekly.destroy())
  const world = await makeWorld(weekly, { digest: { at: '07:30', every: 'week' } })
  await moveHead(weekly, world.sea, ['A'], at(0))
  // The tests begin on a Saturday.
  t.strictSame((await readOutlook(weekly, 'a')).digestAt, at((2 * 24 + 7.5) * hour))
})

test('a single delivery that waited is sent as usual', async (t, { db }) => {
  const { sea, send, list } = await makeWorld(db)
  await moveHead(db, sea, ['A'], at(0))
  t.match(await send(morning), [{ digest: null, event: { line: 'now at A' } }])
  t.match(await list(), [{ digestId: null, nextAttemptAt: null }])
})

// Proves: a digest comes neither before an older delivery nor after a newer one
test('a digest comes neither before an older delivery nor after a newer one', async (t, { db }) => {
  const { sea, air, expect, send } = await makeWorld(db, alerts)
  await moveHead(db, sea, ['A', 'B'], at(0))
  await expect(air, 'critical', at(1))
  const critical = await send(at(2))
  await finish(db, critical, { kind: 'retry', dueAt: at(8 * hour) }, at(3))
  t.strictSame(await send(morning), [], 'the critical one is still tried')
  const again = await send(at(8 * hour))
  t.match(again, [{ attempt: 2, event: { line: 'LATE' } }])
  await finish(db, again, { kind: 'delivered' }, at(8 * hour))
  const sent = await send(at(8 * hour + 1_000))
  t.match(readDigest(sent[0]), { total: 2 })
  await moveHead(db, air, ['C'], at(9 * hour))
  t.strictSame(await send(at(9 * hour)), [], 'others wait until it is accepted, also in other queues')
  await finish(db, sent, { kind: 'delivered' }, at(9 * hour))
  t.match(await send(at(9 * hour + 2_000)), [{ digest: null, event: { line: 'now at C' } }])
})

test('a digest does not wait for a retry that is not needed any more', async (t, { db }) => {
  const { sea, expect, send } = await makeWorld(db, alerts)
  await moveHead(db, sea, ['A', 'B'], at(0))
  await expect(sea, 'critical', at(1))
  const critical = await send(at(2))
  await finish(db, critical, { kind: 'retry', dueAt: at(20 * hour) }, at(3))
  t.strictSame(await send(morning), [])
  await redeliver(db, { org: 'acme', repoId: null, id: critical[0]?.deliveryId ?? '' }, { by, now: at(8 * hour) })
  const again = await claim(db, at(8 * hour))
  t.match(again, [{ attempt: 2, event: { line: 'LATE' } }])
  await finish(db, again, { kind: 'delivered' }, at(8 * hour))
  t.match(readDigest((await send(at(8 * hour + 60_000)))[0]), { total: 2 })
})

test('a digest that was put off into the next quiet hours waits for their end', async (t, { db }) => {
  const { sea, air, expect, send } = await makeWorld(db, alerts)
  await moveHead(db, sea, ['A', 'B'], at(0))
  await expect(sea, 'critical', at(1))
  await finish(db, await send(at(2)), { kind: 'retry', dueAt: at(23 * hour) }, at(3))
  t.strictSame(await send(morning), [])
  await moveHead(db, air, ['C'], at(22.5 * hour))
  const again = await send(at(23 * hour))
  t.match(again, [{ attempt: 2, event: { line: 'LATE' } }], 'what was begun before goes on')
  await finish(db, again, { kind: 'delivered' }, at(23 * hour))
  t.strictSame(await send(at(24 * hour)), [])
  t.match(readDigest((await send(at(31 * hour)))[0]), { total: 3 })
})

// Proves: a digest has the same bytes when it is sent again
test('a digest is sent again as it was when its sender dies, or fails, or somebody asks', async (t, { db }) => {
  const { sea, air, send, list } = await makeWorld(db)
  await moveHead(db, sea, ['A', 'B'], at(0))
  await moveHead(db, air, ['C'], at(0))
  const [first] = await send(morning)
  t.match(readDigest(first), { total: 3 })
  await removeReplica(db, 'a')
  const [second] = await send(at(8 * hour))
  t.match(second, { deliveryId: first?.deliveryId, digest: first?.digest, attempt: 1 })
  assert.ok(second)
  await finish(db, [second], { kind: 'retry', dueAt: at(9 * hour) }, at(8 * hour))
  const failed = { state: 'pending', attemptCount: 1, nextAttemptAt: at(9 * hour), lastAttempt: { status: 500 } }
  t.match(await list(), [failed, failed, failed])
  const third = await send(at(9 * hour))
  t.match(third, [{ deliveryId: first?.deliveryId, digest: first?.digest, attempt: 2 }])
  await finish(db, third, { kind: 'delivered' }, at(9 * hour))
  const [one] = await list()
  t.match(one, { state: 'delivered', attemptCount: 2, digestId: first?.deliveryId })
  await redeliver(db, { org: 'acme', repoId: null, id: one?.id ?? '' }, { by, now: day })
  t.match(await send(day), [{ deliveryId: first?.deliveryId, digest: first?.digest, isRedelivery: true }])
})

test('two replicas gather a digest once', async (t, { db, connect }) => {
  const { sea, gather } = await makeWorld(db)
  await moveHead(db, sea, ['A', 'B', 'C'], at(0))
  const other = await connect()
  const options = { describe: () => '[]', dueBy: morning, now: morning }
  const ids = await listDueDigests(db, morning)
  await Promise.all([db, other].flatMap((one) => ids.map((id) => gatherDigest(one, id, options))))
  await gather(morning)
  t.equal((await claim(db, morning)).length, 1)
  t.equal((await claim(other, morning)).length, 0)
})

test('other hours, or none, move what waits', async (t, { db }) => {
  const { sea, receiver, send } = await makeWorld(db)
  const change = async (filter: object) => {
    await updateReceiver(db, receiver, { filter }, { secrets, by, now: at(hour) })
    return (await readOutlook(db, 'a')).digestAt
  }
  t.strictSame(await change({ quiet: { from: '21:00', to: '06:00' } }), null, 'nothing waits yet')
  await moveHead(db, sea, ['A', 'B'], at(hour))
  t.strictSame(await change({ quiet: { from: '23:00', to: '05:00' } }), at(5 * hour))
  t.strictSame(await change({ digest: { at: '07:30', every: 'day' } }), at(7.5 * hour))
  t.strictSame(await change({ quiet: null, digest: null }), at(hour))
  t.match(readDigest((await send(at(hour)))[0]), { total: 2 })
})

test('a disabled chat keeps what waits, and what is resumed of it is one message', async (t, { db }) => {
  const { sea, air, receiver, send, list } = await makeWorld(db)
  await moveHead(db, sea, ['A', 'B'], at(0))
  await setEnabled(db, receiver, false, at(1))
  await moveHead(db, air, ['C'], day)
  t.strictSame(await send(day), [])
  t.match(await list(), [{ state: 'held' }, { state: 'held' }, { state: 'held' }])
  await setEnabled(db, await findReceiver(db, receiver), true, day, 'latest')
  t.match(readDigest((await send(day))[0]), { total: 2, repositories: [{ last: { line: 'now at C' } }, {}] })
  t.match(await list(), [{ state: 'discarded', nextAttemptAt: null }, {}, {}])
})

test('a digest that is given up disables the chat, and its deliveries are given up', async (t, { db }) => {
  const { sea, send, list } = await makeWorld(db)
  await moveHead(db, sea, ['A', 'B'], at(0))
  await finish(db, await send(morning), { kind: 'dead', disableReason: 'enough' }, morning)
  t.match(await list(), [{ state: 'dead' }, { state: 'dead' }])
})

t.test('whatever happens, each event is accepted once, and in the order of its repository', async () => {
  const steps = ['sea', 'air', 'critical', 'wait', 'send', 'accept', 'retry', 'die', 'disable', 'enable'] as const
  const property = fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 40 }), async (chosen) => {
    const db = await openDatabase('sqlite::memory:')
    try {
      const chat = await RunningChat.make(db)
      for (const step of chosen) await chat.take(step)
      await chat.drain()
    } finally {
      await db.destroy()
    }
  })
  await checkProperty(1_000, property)
})

/** A chat with quiet hours, and what it has accepted. */
class RunningChat {
  readonly #db: Database
  readonly #world: Awaited<ReturnType<typeof makeWorld>>
  #time = at(0)
  #recorded = 0
  #claims: ClaimedDelivery[] = []
  readonly #accepted: number[] = []

  private constructor(db: Database, world: Awaited<ReturnType<typeof makeWorld>>) {
    this.#db = db
    this.#world = world
  }

  static async make(db: Database) {
    return new RunningChat(db, await makeWorld(db, alerts))
  }

  async take(step: string): Promise<void> {
    const { sea, air, expect, send } = this.#world
    this.#time = new Date(this.#time.getTime() + (step === 'wait' ? 5 * hour : 1_000))
    if (step === 'sea' || step === 'air')
      await moveHead(this.#db, step === 'sea' ? sea : air, [String(++this.#recorded)], this.#time)
    if (step === 'critical') await expect(sea, 'critical', this.#time)
    if (step === 'send') this.#claims.push(...(await send(this.#time)))
    if (step === 'accept' || step === 'retry') await this.#finish(step)
    if (step === 'die') await removeReplica(this.#db, 'a')
    if (step === 'disable' || step === 'enable') await this.#enable(step === 'enable')
  }

  /** Everything that waits is accepted in the end. */
  async drain(): Promise<void> {
    await removeReplica(this.#db, 'a')
    this.#claims = []
    await this.#enable(true)
    for (let round = 0; ; round++) {
      assert.ok(round < 100, 'nothing waits for ever')
      const { dueAt, digestAt } = await readOutlook(this.#db, 'a')
      const times = [dueAt, digestAt].flatMap((time) => time?.getTime() ?? [])
      if (times.length === 0) break
      this.#time = new Date(Math.max(this.#time.getTime(), Math.min(...times)))
      await this.take('send')
      while (this.#claims.length > 0) await this.take('accept')
    }
    const events = await this.#db.selectFrom('events').select(['number', 'repo_id', 'name']).orderBy('number').execute()
    assert.deepEqual(
      this.#accepted.toSorted((a, b) => a - b),
      events.map(({ number }) => number),
      'each once',
    )
    for (const repo of [this.#world.sea, this.#world.air]) {
      const moves = events.filter(({ repo_id, name }) => repo_id === repo && name === 'NewCommit')
      const numbers = moves.map(({ number }) => number)
      assert.deepEqual(
        this.#accepted.filter((number) => numbers.includes(number)),
        numbers,
        'in order',
      )
    }
    const left = await this.#db.selectFrom('undelivered').selectAll().execute()
    assert.deepEqual(left, [])
  }

  async #enable(isEnabled: boolean) {
    const receiver = await findReceiver(this.#db, this.#world.receiver)
    await setEnabled(this.#db, receiver, isEnabled, this.#time, isEnabled ? 'all' : undefined)
  }

  async #finish(step: 'accept' | 'retry') {
    const [ended] = this.#claims.splice(0, 1)
    if (ended === undefined) return
    const dueAt = new Date(this.#time.getTime() + hour)
    const next = step === 'accept' ? ({ kind: 'delivered' } as const) : ({ kind: 'retry', dueAt } as const)
    const lost = await finish(this.#db, [ended], next, this.#time)
    if (lost.length > 0 || step === 'retry') return
    const carried = this.#db.selectFrom('deliveries').select('event_number').orderBy('number')
    const isCarried = carried.where((eb) =>
      eb.or([eb('number', '=', ended.deliveryNumber), eb('digest_number', '=', ended.deliveryNumber)]),
    )
    this.#accepted.push(...(await isCarried.execute()).map((row) => row.event_number))
  }
}
