// The calm time after the troubles: repositories change, receivers fail, administrators act, and nothing happens to the
// service, so that the model excuses nothing.
import type { Exchanges } from './model/deliveries/exchanges.ts'
import { redeliver } from './model/deliveries/redeliver.ts'
import { machine } from './machine/machine.ts'
import type { Administrator } from './callers/administrators.ts'
import { failures } from './trouble-kinds.ts'
import { type SimulatedReceiver, well } from './world/receivers.ts'
import type { SimulatedRepository } from './world/repositories.ts'
import type { AskedService } from './callers/send-request.ts'

/** Some receivers fail first, and a repository is damaged for long enough to be told. Times are in milliseconds. */
const calm = { failingReceivers: 6, failingMs: 100_000, settlingMs: 30_000, damagedMs: 160_000, restMs: 30_000 }

/** Deliveries are requested whose second attempt failed this long ago: their next one is planned for later. */
const requested = { attempt: 2, everyMs: 5_000, failedMs: [1_000, 20_000] } as const

type CalmWorld = {
  readonly service: AskedService
  readonly repositories: readonly SimulatedRepository[]
  readonly receivers: readonly SimulatedReceiver[]
  readonly administrators: readonly Administrator[]
  readonly exchanges: Exchanges
  /** Makes repositories change, or stops it. */
  readonly setChanging: (isChanging: boolean) => void
}

/** Lets the calm time pass. */
export async function passCalmTime(world: CalmWorld): Promise<void> {
  const { random } = machine
  machine.say(machine.world, 'begins the calm time')
  await machine.wait(calm.settlingMs, 'settles')
  // One of the organisation gets most events.
  const busy = world.receivers.filter(({ name }) => name.startsWith('org-'))
  const chosen = [busy, ...Array.from({ length: calm.failingReceivers - 1 }, () => world.receivers)]
  const refusing = [...new Set(chosen.map((receivers) => random.choose(receivers)))]
  for (const [index, receiver] of refusing.entries()) receiver.mood = failures[index % failures.length] ?? well
  world.setChanging(true)
  const pauses = world.administrators.map((administrator) => administrator.pauseInCalm())
  const damaged = random.choose(world.repositories)
  damaged.damage('missing')
  for (let passed = 0; passed < calm.failingMs; passed += requested.everyMs) {
    await machine.wait(requested.everyMs, 'fails')
    await redeliverFailed(world, refusing)
  }
  for (const receiver of refusing) receiver.mood = well
  await machine.wait(calm.damagedMs - calm.failingMs, 'is damaged')
  damaged.mend()
  await Promise.all(pauses)
  await machine.wait(calm.restMs, 'changes')
  world.setChanging(false)
}

/** Asks for failed deliveries whose retry is planned, each once. */
async function redeliverFailed({ service, exchanges }: CalmWorld, refusing: readonly SimulatedReceiver[]) {
  const [least, most] = requested.failedMs
  for (const { queue, id, attempt, endedAt } of refusing.flatMap(({ arrivals }) => arrivals)) {
    const agoMs = machine.now - (endedAt ?? Infinity)
    const isLast = exchanges.findLast(queue)?.id === id && exchanges.findLast(queue)?.attempt === attempt
    if (isLast && attempt === requested.attempt && agoMs >= least && agoMs <= most)
      await redeliver(service, exchanges, { queue, id })
  }
}
