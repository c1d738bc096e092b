// What receivers got that administrators have added, changed and deleted.
import type { RecordedEvent } from '../../../history/recorded-events.ts'
import type { AdministeredReceiver } from '../../callers/administered-receiver.ts'
import { type Arrival, isAccepted } from '../../world/receivers.ts'

/** What was accepted this long ago is recorded as such, in milliseconds. */
const recordedMs = 20_000

type Got = {
  readonly queue: string
  readonly receiver: AdministeredReceiver
  readonly arrivals: readonly Arrival[]
  /** The events of a repository, in their order. */
  readonly events: readonly RecordedEvent[]
  /** The numbers of the events, by the ids of the deliveries; empty for a receiver that is deleted. */
  readonly numbers: ReadonlyMap<string, number>
}

/** Checks at rest what a receiver got from one repository. */
export function checkAdministered({ queue, receiver, arrivals, events, numbers }: Got, faults: string[]): void {
  const first = [...new Map(arrivals.toReversed().map((arrival) => [arrival.id, arrival])).values()].reverse()
  const allowed = events.filter((event) => receiver.judge(event, events) !== 'must not')
  if (receiver.settings === undefined) {
    const payloads = new Set(allowed.map(({ payload }) => payload))
    for (const { id, body } of first) if (!payloads.has(body)) faults.push(`${queue}: ${id} is nothing that it selects`)
    return
  }
  const byNumber = new Map(allowed.map((event) => [event.number, event]))
  let last = 0
  for (const { id, body } of first) {
    const event = byNumber.get(numbers.get(id) ?? 0)
    if (event?.payload !== body) faults.push(`${queue}: ${id} is nothing that it selects`)
    else if (event.number < last && receiver.replayedAt === Infinity) faults.push(`${queue}: ${id} comes too late`)
    last = event?.number ?? last
  }
  const came = new Set(first.map(({ id }) => numbers.get(id)))
  for (const event of allowed)
    if (receiver.judge(event, events) === 'must' && !came.has(event.number))
      faults.push(`${queue}: event ${event.number}, ${event.notification.event}, did not come`)
  checkReplay({ queue, receiver, arrivals }, faults)
}

/** Whether everything that was accepted has come again, once it was asked for. */
function checkReplay(
  { queue, receiver: { lastReplayAt }, arrivals }: Pick<Got, 'queue' | 'receiver' | 'arrivals'>,
  faults: string[],
): void {
  const again = new Set(arrivals.filter(({ at }) => at >= lastReplayAt).map(({ id }) => id))
  for (const { id, endedAt = Infinity, ...arrival } of arrivals)
    if (isAccepted(arrival) && endedAt < lastReplayAt - recordedMs && !again.has(id))
      faults.push(`${queue}: ${id} was not replayed`)
}
