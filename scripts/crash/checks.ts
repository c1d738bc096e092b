// Checks what receivers and callers got while the service was killed repeatedly.
import type { EventFilter } from '@floe/contract/lists'
import type { Database } from '@floe/storage/database'
import { readRecordedEvents, readUnanswered, selectEvents } from '../history/recorded-events.ts'
import type { Follower } from './world/followers.ts'
import type { CrashProcesses, Kill } from './world/processes.ts'
import type { Arrival, CrashReceivers } from './world/receivers.ts'

/** Time limit of an attempt, and the shortest delay after it, in milliseconds. */
const leastUnheardMs = 5_000 + 4_000

/** Figures about the received requests and the faults. */
export class CrashFindings {
  readonly faults: string[] = []
  readonly kills: number
  events = 0
  deliveries = 0
  requests = 0
  /** Attempts after one that failed. */
  retries = 0
  /** Attempts that failed before the receiver had read the request, such as connections that took too long. */
  unseen = 0
  /** Attempts that were accepted, but whose answer came too late for their sender on a busy machine. */
  unheard = 0
  /** Attempts that were repeated because of a kill, and those of them that the receiver had already accepted. */
  repeated = 0
  repeatedAfterSuccess = 0
  /** Longest time between a successful answer and the kill that prevented its recording, in milliseconds. */
  longestUnrecordedMs = 0

  constructor(kills: number) {
    this.kills = kills
  }

  /** Prints the figures and the faults. A fault makes the process fail. */
  print(): void {
    for (const fault of this.faults) console.error(fault)
    const { faults, kills, events, deliveries, requests, retries, unseen, unheard } = this
    const { repeated, repeatedAfterSuccess, longestUnrecordedMs } = this
    console.log(`${kills} kills, ${events} events`)
    console.log(`${deliveries} deliveries in ${requests} requests: ${retries} retries after a failure,`)
    console.log(`${unseen} attempts unseen, ${unheard} answers unheard, ${repeated} repeated because of a kill,`)
    console.log(`${repeatedAfterSuccess} of them accepted before, at most ${longestUnrecordedMs} ms before the kill`)
    console.log(`${faults.length} faults`)
    process.exitCode = faults.length > 0 ? 1 : 0
  }
}

export type CrashedRun = {
  readonly db: Database
  readonly receivers: CrashReceivers
  readonly processes: CrashProcesses
  readonly repositories: readonly string[]
  /** The filters of the webhooks of each repository, and of the organisation, by alias. */
  readonly webhooks: ReadonlyMap<string, EventFilter>
}

/** Checks the requests of all receivers. */
export async function checkRun(run: CrashedRun): Promise<CrashFindings> {
  const { db, receivers, processes, repositories, webhooks } = run
  const findings = new CrashFindings(processes.kills.length)
  const unanswered = await readUnanswered(db)
  for (const repository of repositories) {
    const events = await readRecordedEvents(db, repository, findings.faults)
    findings.events += events.length
    for (const [alias, filter] of webhooks) {
      const queue = `${repository}/${alias}`
      const arrivals = receivers.journal.get(queue) ?? []
      const bodies = new Set(arrivals.map(({ body }) => body))
      const payloads = selectEvents(events, alias, filter, bodies).map(({ payload }) => payload)
      checkQueue(queue, arrivals, { payloads, unanswered, processes }, findings)
    }
  }
  return findings
}

/** Lists the positions of the moves of `main`, in order. */
export async function listMainMoves(db: Database): Promise<readonly string[]> {
  const query = db
    .selectFrom('events')
    .select('position')
    .where('name', '=', 'NewCommit')
    .where('ref', '=', 'branch/main')
  return (await query.orderBy('position').execute()).map(({ position }) => String(position))
}

/** Whether a caller got each move of `main` once and in order. */
export function checkFollower({ ids }: Follower, moves: readonly string[], findings: CrashFindings): void {
  if (ids.join() !== moves.join())
    findings.faults.push(`a caller got ${ids.length} of ${moves.length} moves, or others`)
}

/** What the services did. */
type Deeds = {
  /** Of the events that the receiver selects, in order. */
  readonly payloads: readonly string[]
  /** The result of {@link readUnanswered}. */
  readonly unanswered: ReadonlySet<string>
  readonly processes: Pick<CrashProcesses, 'kills' | 'findSender'>
}

/** Compares the requests of one queue with what the services did. */
export function checkQueue(
  queue: string,
  arrivals: readonly Arrival[],
  { payloads, unanswered, processes }: Deeds,
  findings: CrashFindings,
): void {
  const ids = new Set<string>()
  let last: Arrival | undefined
  for (const arrival of arrivals) {
    const fault = (what: string) => findings.faults.push(`${queue}: ${arrival.id}, attempt ${arrival.attempt}: ${what}`)
    findings.requests++
    // A gap is right where the attempts between are recorded without an answer: their requests did not get as far as
    // the receiver.
    for (let missing = last?.id === arrival.id ? last.attempt + 1 : 1; missing < arrival.attempt; missing++) {
      if (unanswered.has(`${arrival.id} ${missing}`)) findings.unseen++
      else fault(`came without attempt ${missing}`)
    }
    if (last !== undefined && isUnderWay(last, arrival) && findKill(last, arrival, processes) === undefined)
      fault('came while another was under way')
    if (last?.id === arrival.id) checkRepeated(last, arrival, { unanswered, processes }, findings, fault)
    else {
      if (last !== undefined && !isAccepted(last)) fault('came before the previous delivery was accepted')
      if (ids.has(arrival.id)) fault('came again after another delivery')
      ids.add(arrival.id)
    }
    if (arrival.body !== payloads[ids.size - 1]) fault(`is not event ${ids.size}, or has other bytes`)
    last = arrival
  }
  findings.deliveries += ids.size
  if (ids.size !== payloads.length) findings.faults.push(`${queue}: ${ids.size} of ${payloads.length} events came`)
  if (last !== undefined && !isAccepted(last)) findings.faults.push(`${queue}: the last event was not accepted`)
}

/** Checks a delivery that arrived twice in a row. */
function checkRepeated(
  last: Arrival,
  arrival: Arrival,
  { unanswered, processes }: Pick<Deeds, 'unanswered' | 'processes'>,
  findings: CrashFindings,
  fault: (what: string) => void,
): void {
  if (arrival.attempt > last.attempt) {
    findings.retries++
    if (!isAccepted(last)) return
    // The sender may not have waited for the answer; then this one came after the time limit and the shortest delay.
    if (unanswered.has(`${last.id} ${last.attempt}`) && arrival.at - last.at >= leastUnheardMs) findings.unheard++
    else fault('was retried although it was accepted')
    return
  }
  findings.repeated++
  const kill = findKill(last, arrival, processes)
  if (arrival.attempt !== last.attempt) fault(`follows attempt ${last.attempt}`)
  if (kill === undefined) {
    const sender = processes.findSender(last.connection, last.at)
    const killedAt = processes.kills.find(({ process }) => process === sender)?.at ?? Infinity
    const [repeatedMs, killedMs] = [arrival.at - last.at, killedAt - last.at]
    return fault(`was repeated after ${repeatedMs} ms, but its sender ${sender} was killed after ${killedMs} ms`)
  }
  if (!isAccepted(last)) return
  findings.repeatedAfterSuccess++
  findings.longestUnrecordedMs = Math.max(findings.longestUnrecordedMs, kill.at - (last.endedAt ?? kill.at))
}

function isUnderWay(last: Arrival, arrival: Arrival): boolean {
  return last.endedAt === null || last.endedAt > arrival.at
}

/**
 * Finds the kill that ended the sender of a request before the next one came. On a busy machine, the receiver may read
 * the request after the kill.
 */
function findKill(last: Arrival, arrival: Arrival, { kills, findSender }: Deeds['processes']): Kill | undefined {
  const sender = findSender(last.connection, last.at)
  return kills.find(({ at, process }) => process === sender && at <= arrival.at)
}

function isAccepted({ status }: Arrival): boolean {
  return status !== null && status >= 200 && status < 300
}
