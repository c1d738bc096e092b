// What chats were told: each event once, in order, and no later than it must; what is critical, at once.
import type { Database } from '@floe/storage/database'
import { type RecordedEvent, selects } from '../../../history/recorded-events.ts'
import { machine } from '../../machine/machine.ts'
import type { SimulatedChat } from '../../world/chats.ts'
import { type Arrival, isAccepted } from '../../world/receivers.ts'
import { lateAnswerMs, lifeEndMs } from './exchanges.ts'
import type { Troubles } from '../troubles.ts'

/** A message comes within this time after it is due, in milliseconds, if nothing is in its way. */
const promptMs = 5_000

/** A digest that waits for an older delivery is looked at this often, in milliseconds, if that one was asked for. */
const lookMs = 60_000

/** Messages may come this much too early, in milliseconds, because replicas do not know the clock exactly. */
const earlyMs = 1_000

const dayMs = 86_400_000
const minuteMs = 60_000

/** A message has at most as many lines of events that are not counted, and ends with this if it was cut. */
const maxTold = 50
const cut = '…'

const digestHead = /^acme: (\d+) events since /
const lineEnd = / https:\/\/floe\.example\/\S+$/

type Parts = { readonly chats: readonly SimulatedChat[]; readonly troubles: Troubles }

/** Checks at rest what all chats were told of the events of all repositories. */
export async function checkChats(
  db: Database,
  { chats, troubles }: Parts,
  events: readonly RecordedEvent[],
  faults: string[],
): Promise<void> {
  const rows = await db.selectFrom('receivers').select(['alias', 'created_at']).where('is_enabled', '=', 1).execute()
  const retried = await readRetried(db)
  for (const chat of chats) {
    const { alias, filter, host } = chat
    const addedAt = rows.find((row) => row.alias === alias)?.created_at
    // It was disabled after too many attempts.
    if (addedAt === undefined) continue
    const selected = events.filter((event) => selects(filter, event, new Set()) && isNews(event, addedAt))
    const sorted = selected.toSorted((left, right) => left.number - right.number)
    const told = new ToldChat(chat, sorted, retried.get(alias) ?? new Set())
    for (const arrival of host.arrivals) told.check(arrival, troubles, faults)
    told.checkRest(troubles, faults)
  }
}

/** Reads the last events of the messages with an attempt without an answer, which the chat may not have seen. */
async function readRetried(db: Database): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const rows = await db
    .selectFrom('attempts')
    .innerJoin('deliveries', 'deliveries.number', 'delivery_number')
    .innerJoin('receivers', 'receivers.id', 'receiver_id')
    .select(['alias', 'event_number'])
    .where('kind', '=', 'chat')
    .where('status', 'is', null)
    .execute()
  const byChat = Map.groupBy(rows, ({ alias }) => alias)
  return new Map([...byChat].map(([alias, own]) => [alias, new Set(own.map((row) => row.event_number))]))
}

/** A chat is not told the first head of a repository, on `main`, if it is older than the chat. */
function isNews({ notification: { event, details } }: RecordedEvent, addedAt: number): boolean {
  const isFirst = event === 'NewCommit' && details.branch === 'main' && details.previous_snapshot_id === null
  return !isFirst || Date.parse(details.written_at) >= addedAt
}

/** A chat, and the events that it has not been told yet. */
class ToldChat {
  readonly #chat: SimulatedChat
  /** The last events of messages that the chat may not have seen at first. */
  readonly #retried: ReadonlySet<number>
  #waiting: readonly RecordedEvent[]
  /** The last request with each message. */
  readonly #requests = new Map<string, Arrival>()
  /** When the first event of each message was recorded. */
  readonly #recordedAt = new Map<string, number>()
  /** When the last of the earlier requests ended: requests of several repositories can be under way together. */
  #endedAt = -Infinity

  constructor(chat: SimulatedChat, events: readonly RecordedEvent[], retried: ReadonlySet<number>) {
    this.#chat = chat
    this.#waiting = events
    this.#retried = retried
  }

  /** Checks the next request. */
  check(arrival: Arrival, troubles: Troubles, faults: string[]): void {
    const { body, at, endedAt = at } = arrival
    const [before, freedAt] = [this.#requests.get(body), this.#endedAt]
    this.#requests.set(body, arrival)
    this.#endedAt = Math.max(freedAt, endedAt)
    // A message that was not accepted comes again before its repository has other news.
    if (before !== undefined && !isAccepted(before)) return
    const lines = readLines(body)
    const fault = (what: string) => faults.push(`${this.#chat.alias} is told ${lines.join(' | ')} at ${at}: ${what}`)
    const told = takeTold(this.#waiting, lines)
    const [first, last] = [told[0], told.at(-1)]
    if (first === undefined || last === undefined) {
      if (before === undefined) fault(`this is not what waits: ${this.#waiting[0]?.line}`)
      else if (!isExcused(before, arrival, troubles)) fault('it was accepted before')
      return
    }
    this.#waiting = this.#waiting.filter((event) => !told.includes(event))
    this.#recordedAt.set(body, first.createdAt)
    if (!troubles.knowsTimesSince(troubles.findTime(first.createdAt))) return
    const times = told.map((event) => troubles.findTime(this.#findDue(event)))
    const [dueAt = at] = times
    // A digest of the day that is late also tells what came since its time.
    const { filter } = this.#chat
    const earliest = filter.digest === null ? Math.max(...times) : dueAt
    // With SQLite, what is due goes by the clock before it was set back, until the process ends.
    const isEarly = at < earliest - earlyMs && !troubles.excuse('a digest is early', troubles.wasSetBack)
    if (isEarly) fault(`it comes ${Math.round(earliest - at)} ms too early`)
    if (this.#overtakes(arrival, first, troubles)) fault('it overtakes a message that was not accepted yet')
    if (this.#retried.has(last.number)) return
    const latest = this.#findLatest(isCritical(first), dueAt, Math.min(freedAt, at), troubles)
    const isCalm = troubles.isCalm(latest - promptMs, latest)
    if (at > latest && !troubles.excuse('a chat is told late', !isCalm))
      fault(`it comes ${Math.round(at - latest)} ms too late`)
  }

  /**
   * Whether a message that had to wait came before another one was accepted, which was recorded before this one was
   * due. A process that was paused then may have recorded it later than its time says.
   */
  #overtakes({ body, at }: Arrival, first: RecordedEvent, troubles: Troubles): boolean {
    const dueAt = this.#findDue(first)
    if (dueAt === first.createdAt) return false
    return [...this.#requests].some(([other, last]) => {
      const recordedAt = this.#recordedAt.get(other) ?? Infinity
      if (other === body || recordedAt >= dueAt || (isAccepted(last) && (last.endedAt ?? at) <= at)) return false
      const isDisturbed = troubles.wasDisturbed(troubles.findTime(recordedAt), troubles.findTime(dueAt))
      return !troubles.excuse('a digest overtakes another message', isDisturbed)
    })
  }

  /**
   * When a message comes at the latest that is due, if older ones were under way until a time. Except for what is
   * critical, it may also wait for the end of quiet hours that begin meanwhile.
   */
  #findLatest(isCritical: boolean, dueAt: number, freedAt: number, troubles: Troubles): number {
    const { filter, hastened } = this.#chat
    const isHastened = hastened.some((at) => at >= dueAt && at <= freedAt)
    const latest = Math.max(dueAt, freedAt) + (isHastened ? lookMs : 0) + promptMs
    const quietUntil = isCritical ? null : findQuietEnd(filter, troubles.findClock(latest))
    return quietUntil === null ? latest : troubles.findTime(quietUntil) + promptMs
  }

  /** When an event is told at the earliest, by the clock. */
  #findDue(event: RecordedEvent): number {
    const { createdAt } = event
    if (isCritical(event)) return createdAt
    const { filter } = this.#chat
    const { digest } = filter
    return digest === null ? (findQuietEnd(filter, createdAt) ?? createdAt) : findNext(digest.at, createdAt)
  }

  /**
   * Checks at rest that only what is not due yet has not come. If the clock was set back after a digest, the next one
   * stays planned for the day after.
   */
  checkRest(troubles: Troubles, faults: string[]): void {
    const late = this.#waiting.find((event) => troubles.findTime(this.#findDue(event)) < machine.now - promptMs)
    const { alias, filter } = this.#chat
    const isPlannedLater = filter.digest !== null && troubles.wasSetBack
    if (late !== undefined && !troubles.excuse('a digest is a day late', isPlannedLater))
      faults.push(`${alias} was not told: ${late.line}`)
  }
}

/** Whether the sender of a message may not know that it was accepted. */
function isExcused(before: Arrival, arrival: Arrival, troubles: Troubles): boolean {
  const isSlow = before.endedAt !== undefined && before.endedAt - before.at > lateAnswerMs
  const isDisturbed = troubles.excuses(before.sender, before.at - lifeEndMs, arrival.at)
  return isSlow || troubles.excuse('a message is repeated', isDisturbed)
}

/** Finds the end of the quiet hours at a time of the clock; null if it is not in any. */
function findQuietEnd({ quiet }: SimulatedChat['filter'], clock: number): number | null {
  if (quiet === null) return null
  const end = findNext(quiet.to, clock)
  return end < findNext(quiet.from, clock) ? end : null
}

/** Finds the next time of day after a time of the clock. */
function findNext(time: string, clock: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return clock + dayMs - ((clock - (hours * 60 + minutes) * minuteMs) % dayMs)
}

function isCritical({ notification: { details } }: RecordedEvent): boolean {
  return 'severity' in details && details.severity === 'critical'
}

/** Reads the lines of a message, without their links. */
function readLines(body: string): readonly string[] {
  const message = JSON.parse(body) as { text: { content: string } } // what its service gets
  return message.text.content.split('\n').map((line) => line.replace(lineEnd, ''))
}

/**
 * Finds the events that a message tells: the next one of its repository, or in a digest the next ones of all, except
 * for what is critical. Empty if the message is another one.
 */
function takeTold(waiting: readonly RecordedEvent[], [head = '', ...lines]: readonly string[]) {
  const total = digestHead.exec(head)?.[1]
  if (total !== undefined) {
    const gathered = waiting.filter((event) => !isCritical(event)).slice(0, Number(total))
    return gathered.length === Number(total) && isDigest(lines, gathered) ? gathered : []
  }
  const told = waiting.find(({ line }) => line === head)
  const isNext = (event: RecordedEvent) =>
    told !== undefined && nameRepository(event) === nameRepository(told) && isCritical(event) === isCritical(told)
  return told !== undefined && waiting.find(isNext) === told ? [told] : []
}

function nameRepository({ notification: { details } }: RecordedEvent): string {
  return details.repo_name
}

/** Whether lines tell these events: alerts one by one, and the others counted by their repositories. */
function isDigest(lines: readonly string[], gathered: readonly RecordedEvent[]): boolean {
  const alerts = gathered.filter(isAlert).map(({ line }) => line)
  const counted = Map.groupBy(
    gathered.filter((event) => !isAlert(event)),
    nameRepository,
  )
  // By their names, without the colon that follows them.
  const byName = [...counted].toSorted(([left], [right]) => (left < right ? -1 : 1))
  const counts = byName.map(([repository, events]) => {
    const [only] = events
    return events.length === 1 && only ? only.line : `acme/${repository}: ${events.reduce(addCount, 0)}`
  })
  const expected = [...alerts.slice(-maxTold), ...counts]
  const shown = lines.at(-1) === cut ? lines.slice(0, -1) : lines
  const isWhole = shown.length === lines.length
  return (
    (isWhole ? shown.length === expected.length : shown.length < expected.length) &&
    shown.every((line, index) => addCounts(line) === expected[index])
  )
}

function isAlert({ notification: { event } }: RecordedEvent): boolean {
  return event === 'ExpectationUnmet' || event === 'ExpectationMet'
}

/** Adds the commits of a head move, if they are known, or one. */
function addCount(sum: number, { notification: { event, details } }: RecordedEvent): number {
  return sum + ((event === 'NewCommit' ? details.commits?.length : undefined) ?? 1)
}

/** Writes a line about a repository with the sum of its counts: `acme/r1: 4` for `acme/r1: 3 commits, 1 new tag`. */
function addCounts(line: string): string {
  const [, name, counts] = /^(acme\/\w+: )(\d+ [a-z]+(?: [a-z]+)?(?:, \d+ [a-z]+(?: [a-z]+)?)*)$/.exec(line) ?? []
  if (name === undefined || counts === undefined) return line
  return name + counts.split(', ').reduce((sum, part) => sum + Number.parseInt(part, 10), 0)
}
