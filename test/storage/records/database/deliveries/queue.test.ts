// Whatever happens to queues, in whatever order: nothing is lost, doubled, overtaken, or left waiting for ever. Each
// step is taken by the database and by a model, and what can be seen of both is compared after each.
import type { Resume } from '@floe/contract/lists'
import assert from 'node:assert/strict'
import {
  cancelReplay,
  deleteReceiver,
  openDatabase,
  redeliver,
  removeReplica,
  replay,
  type ClaimedDelivery,
  type Receiver,
  type Database,
  type NextStep,
} from '@floe/storage/database'
import fc from 'fast-check'
import { sql } from 'kysely'
import { t } from 'tap'
import { firstReplayPosition } from '../../../../../storage/records/database/receivers/queue.ts'
import { checkProperty } from '../../../../check-property.ts'
import { QueueModel } from './queue-model.ts'
import { at, by, claim, expire, finish, moveHead, nextDueAt, repositoryWith, setEnabled, webhook } from '../recorded.ts'

const eventsKeptMs = 50_000

/** A repository with two queues, in the database and as models. */
class World {
  readonly #db: Database
  readonly #repoId: string
  readonly #queues: readonly { readonly receiver: Receiver; readonly model: QueueModel }[]
  readonly #eventTimes: Date[] = []
  readonly #claims: ClaimedDelivery[] = []
  #time = at(0)
  #hasExpired = false

  private constructor(db: Database, repoId: string, receivers: Iterable<Receiver>) {
    this.#db = db
    this.#repoId = repoId
    this.#queues = Array.from(receivers, (receiver) => ({ receiver, model: new QueueModel() }))
  }

  static async make(db: Database): Promise<World> {
    const { repoId, receivers } = await repositoryWith(db, [webhook('one'), webhook('two')])
    // Declared ones cannot be deleted.
    await db.updateTable('receivers').set({ is_declared: 0 }).execute()
    return new World(db, repoId, receivers.values())
  }

  wait(ms: number): void {
    this.#time = new Date(this.#time.getTime() + ms)
  }

  async move(): Promise<void> {
    const sequence = this.#eventTimes.push(this.#time)
    await moveHead(this.#db, this.#repoId, [String(sequence)], this.#time)
    for (const { model } of this.#queues) model.add(sequence)
  }

  async claim(): Promise<void> {
    const claims = await claim(this.#db, this.#time)
    for (const { receiver, model } of this.#queues) {
      const own = claims.filter((one) => one.receiver.id === receiver.id)
      const claimable = model.claimable(this.#time)
      const [first] = own
      assert.ok(own.length <= 1 && own.every((one) => claimable.includes(sequenceOf(one))), 'what was claimed was due')
      // A queue whose first delivery has expired is looked at when that would have been due.
      if (claimable.length > 0 && !this.#hasExpired) assert.equal(own.length, 1, 'what is due is claimed')
      if (first !== undefined) model.claim(first)
    }
    this.#claims.push(...claims)
  }

  /** One of the last claims, also one that was finished before or whose replica has died. */
  async finish(index: number, kind: NextStep['kind'], delayMs: number): Promise<void> {
    const ended = this.#claims.at(-1 - index)
    if (ended === undefined) return
    const next = { kind, dueAt: new Date(this.#time.getTime() + delayMs), disableReason: 'enough' }
    const left = await finish(this.#db, [ended], next, this.#time)
    const queue = this.#queues.find(({ receiver }) => receiver.id === ended.receiver.id)
    const counts = queue?.model.finish(ended, sequenceOf(ended), next)
    assert.equal(left.length === 0, counts, 'only the holder records an attempt')
  }

  /** The replica that sends deliveries dies, and another one takes over. */
  async die(): Promise<void> {
    await removeReplica(this.#db, 'a')
    for (const { model } of this.#queues) model.release()
  }

  async setEnabled(index: number, isEnabled: boolean, resume: Resume): Promise<void> {
    const { receiver, model } = this.#queue(index)
    if (model.isDeleted) return
    await setEnabled(this.#db, receiver, isEnabled, this.#time, resume)
    if (isEnabled) model.enable(resume)
    else model.disable()
  }

  async redeliver(index: number, place: number): Promise<void> {
    const { receiver, model } = this.#queue(index)
    const sequence = [...model.deliveries.keys()][place % model.deliveries.size]
    if (sequence === undefined) return
    const row = this.#db
      .selectFrom('deliveries')
      .innerJoin('events', 'events.number', 'event_number')
      .select('deliveries.id')
    const { id = '' } =
      (await row.where('receiver_id', '=', receiver.id).where('sequence', '=', sequence).executeTakeFirst()) ?? {}
    const redelivered = redeliver(this.#db, { org: 'acme', repoId: this.#repoId, id }, { by, now: this.#time })
    if (model.isEnabled) await redelivered
    else await assert.rejects(redelivered, { code: 'receiver-disabled' })
    model.ask(sequence)
  }

  async replay(index: number, all: boolean): Promise<void> {
    const { receiver, model } = this.#queue(index)
    const selection = { since: at(0), until: new Date(this.#time.getTime() + 1), all, asNew: false }
    const replayed = replay(this.#db, receiver, selection, { by, now: this.#time })
    if (model.isDeleted) await assert.rejects(replayed, { code: 'receiver-not-found' })
    else if (model.isEnabled) await replayed
    else await assert.rejects(replayed, { code: 'receiver-disabled' })
    model.replay(all)
  }

  async cancelReplay(index: number): Promise<void> {
    const { receiver, model } = this.#queue(index)
    const cancelled = cancelReplay(this.#db, receiver, { by, now: this.#time })
    if (model.isDeleted) await assert.rejects(cancelled, { code: 'receiver-not-found' })
    else await cancelled
    model.cancelReplay()
  }

  async delete(index: number): Promise<void> {
    const { receiver, model } = this.#queue(index)
    const deleted = deleteReceiver(this.#db, receiver, { by, now: this.#time })
    if (model.isDeleted) await assert.rejects(deleted, { code: 'receiver-not-found' })
    else await deleted
    model.delete()
  }

  async expire(): Promise<void> {
    const before = new Date(this.#time.getTime() - eventsKeptMs)
    await expire(this.#db, { attemptsBefore: before, eventsBefore: before })
    for (const [index, time] of this.#eventTimes.entries()) {
      if (time < before) for (const { model } of this.#queues) model.deliveries.delete(index + 1)
    }
    this.#hasExpired ||= this.#eventTimes.some((time) => time < before)
  }

  /** Everything that waits is delivered in the end. */
  async deliverAll(): Promise<void> {
    for (const index of this.#queues.keys()) await this.setEnabled(index, true, 'all')
    await this.die()
    for (let round = 0; ; round++) {
      const dueAt = await nextDueAt(this.#db)
      if (dueAt === null) break
      assert.ok(round < 1_000, 'what is due can be claimed')
      if (dueAt > this.#time) this.#time = dueAt
      const first = this.#claims.length
      await this.claim()
      for (let index = this.#claims.length - first - 1; index >= 0; index--) await this.finish(index, 'delivered', 0)
    }
    const isLeft = this.#queues.some(({ model }) => model.seen().some(([, { waits }]) => waits))
    assert.ok(!isLeft, 'nothing is left waiting')
  }

  async compare(): Promise<void> {
    for (const { receiver, model } of this.#queues) {
      const { id } = receiver
      const deliveries = await this.#db
        .selectFrom('deliveries')
        .innerJoin('receivers', 'receivers.id', 'deliveries.receiver_id')
        .innerJoin('events', 'events.number', 'event_number')
        .leftJoin('undelivered', 'delivery_number', 'deliveries.number')
        .select(['sequence', 'queue_position', 'due_at'])
        .select((eb) => [
          eb.fn.coalesce('state', sql.lit('delivered')).as('state'),
          eb.fn.coalesce('undelivered.attempts', 'deliveries.attempts').as('attempts'),
        ])
        .where('deliveries.receiver_id', '=', id)
        .orderBy('sequence')
        .execute()
      const seen = deliveries.map(({ sequence, state, queue_position, attempts }) => {
        return [sequence, { state, waits: queue_position !== null, attempts }]
      })
      assert.deepEqual(seen, model.seen())
      for (const { state, queue_position: position, due_at } of deliveries) {
        assert.ok(position !== null || due_at === null, 'what does not wait is not due')
        const isInOrder = position !== null && position > 0 && position < firstReplayPosition
        assert.equal(
          isInOrder,
          state === 'pending',
          'what is pending, and nothing else, has a position in the order of events',
        )
      }
      const [, ...afterFirst] = deliveries.filter(({ state }) => state === 'pending')
      assert.ok(
        afterFirst.every(({ due_at }) => due_at === null),
        'only the first pending delivery has a due time',
      )
      const row = await this.#db.selectFrom('receivers').selectAll().where('id', '=', id).executeTakeFirst()
      assert.equal(row === undefined, model.isDeleted)
      const isWaiting = deliveries.some(({ queue_position }) => queue_position !== null)
      const queue = await this.#db
        .selectFrom('queues')
        .select('due_at')
        .where('receiver_id', '=', id)
        .executeTakeFirst()
      if (row?.is_enabled === 1) assert.ok(typeof queue?.due_at === 'number' || !isWaiting, 'what waits is due')
      else assert.equal(queue?.due_at ?? null, null, 'the queue of a disabled receiver is not due')
    }
  }

  #queue(index: number) {
    const queue = this.#queues[index]
    if (queue === undefined) throw new RangeError(`there is no queue ${index}`)
    return queue
  }
}

function sequenceOf({ event }: ClaimedDelivery): number {
  return Number(JSON.parse(event.payload).to)
}

type Step = { readonly take: (world: World) => Promise<void> | void; readonly toString: () => string }

function step<Args extends unknown[]>(
  name: string,
  weight: number,
  args: fc.Arbitrary<Args>,
  take: (world: World, ...args: Args) => Promise<void> | void,
): fc.WeightedArbitrary<Step> {
  const toStep = (values: Args): Step => ({
    take: (world) => take(world, ...values),
    toString: () => `${name}(${values.join(', ')})`,
  })
  return { weight, arbitrary: args.map(toStep) }
}

const none = fc.tuple()
const queue = fc.nat(1)
const ms = fc.constantFrom(1, 4_000, 30_000, 60_000)
const ends = fc.constantFrom<NextStep['kind'][]>('delivered', 'delivered', 'retry', 'retry', 'dead', 'gone')
const resume = fc.constantFrom<Resume[]>('all', 'latest', 'none')

const steps = fc.array(
  fc.oneof(
    step('move', 4, none, (world) => world.move()),
    step('claim', 6, none, (world) => world.claim()),
    step('finish', 8, fc.tuple(fc.nat(4), ends, ms), (world, ...how) => world.finish(...how)),
    step('wait', 3, fc.tuple(ms), (world, delay) => world.wait(delay)),
    step('die', 2, none, (world) => world.die()),
    step('disable', 2, fc.tuple(queue), (world, index) => world.setEnabled(index, false, 'all')),
    step('enable', 4, fc.tuple(queue, resume), (world, index, resume) => world.setEnabled(index, true, resume)),
    step('redeliver', 3, fc.tuple(queue, fc.nat()), (world, ...which) => world.redeliver(...which)),
    step('replay', 2, fc.tuple(queue, fc.boolean()), (world, ...which) => world.replay(...which)),
    step('cancel', 1, fc.tuple(queue), (world, index) => world.cancelReplay(index)),
    step('expire', 2, none, (world) => world.expire()),
    step('delete', 1, fc.tuple(queue), (world, index) => world.delete(index)),
  ),
  { minLength: 20, maxLength: 80 },
)

t.test('nothing is lost, doubled, overtaken or left waiting, whatever happens in whatever order', async () => {
  await checkProperty(
    500,
    fc.asyncProperty(steps, async (steps) => {
      const db = await openDatabase('sqlite::memory:')
      try {
        const world = await World.make(db)
        for (const { take } of steps) {
          await take(world)
          await world.compare()
        }
        await world.deliverAll()
      } finally {
        await db.destroy()
      }
    }),
  )
})
