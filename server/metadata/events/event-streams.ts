// All streams of events of a process.
import type { Readable } from 'node:stream'
import { responseHeaders } from '@floe/contract'
import {
  type Database,
  type EventBounds,
  explainUnavailable,
  isExpired,
  listValidApiKeys,
  readEventBounds,
  recordStream,
} from '@floe/storage/database'
import { BackgroundLoop, FairShares, Slices } from '@floe/storage/waiting'
import { renewCaller } from '../../http/access/caller.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { Timing } from '../../timing.ts'
import type { EventScope } from './event-scope.ts'
import { EventStream, type StreamScope } from './event-stream.ts'
import type { Positions } from './positions.ts'
import { pageEvents, SharedEvents } from './shared-events.ts'
import { StreamSelections } from './stream-selections.ts'

/** Limits of the streams of a process. */
export type StreamLimits = {
  /** Maximum number of open streams. Organisations and their callers share them; see {@link FairShares}. */
  readonly streams: number
  /** Maximum per API key, or per address on a public deployment. */
  readonly streamsPerCaller: number
  /** Maximum size of the events that wait to be sent, in bytes. */
  readonly streamBytes: number
}

/** The events after one position, up to the last recorded one. */
type FoundEvents = { readonly after: number; readonly last: number }

export type EventStreamsParts = {
  readonly db: Database
  readonly timing: Pick<Timing, 'now' | 'elapsed' | 'after'>
  readonly limits: StreamLimits
  readonly positions: Positions
  /** A caller who reads nothing for this long is dropped, in milliseconds. */
  readonly stalledCallerMs: number
  /** Called when a stream selects branches, tags or verdicts that were not selected before. */
  readonly onSelection: () => void
  /** Called with the first of several failures in a row. */
  readonly onError: (error: unknown) => void
}

/**
 * Time between two checks of keys and callers, and of the recorded events when nothing wakes the streams, in
 * milliseconds.
 */
const intervalMs = 400

/** `Retry-After` of a refused caller, in seconds. */
const retryAfterS = 10

/**
 * Opens streams and serves them until they end. Each stream knows its position among the recorded events. Events are
 * read when a stream has room, and sent to all streams that have room at the same position, so that a slow or late
 * stream misses no event.
 */
export class EventStreams {
  readonly #parts: EventStreamsParts
  readonly #shared: SharedEvents
  /** Ordered by when they were last sent events, longest ago first. */
  readonly #streams = new Set<EventStream>()
  /** Organisations for which the database has recorded that they have streams. */
  readonly #recorded = new Set<string>()
  /** Position of the last known event of each organisation. */
  readonly #last = new Map<string, number>()
  readonly #shares: FairShares
  readonly #selections: StreamSelections
  /** When keys, callers and recorded events are checked next if nothing wakes the streams, by the stopwatch. */
  #checkAt = 0
  #mayHaveNews = false
  readonly #loop: BackgroundLoop
  #isClosed = false

  constructor(parts: EventStreamsParts) {
    this.#parts = parts
    this.#shared = new SharedEvents(parts.db)
    this.#selections = new StreamSelections(parts)
    this.#shares = new FairShares(() => parts.limits.streams)
    this.#loop = new BackgroundLoop({
      work: () => this.#serve(),
      restMs: intervalMs,
      after: parts.timing.after,
      onError: (error, failures) => {
        if (failures === 1) parts.onError(error)
      },
    })
  }

  /** Number of open streams. */
  get size(): number {
    return this.#streams.size
  }

  /** Size of the events that wait to be sent, in bytes. An event that waits for several callers counts once. */
  get unsentBytes(): number {
    return this.#shared.bytes
  }

  /**
   * Finds between which positions a caller gets events, and records what it selects. Reads no event.
   *
   * @param position the position after which they begin, as a caller got it; undefined for the last recorded event
   * @throws RequestProblem `events-gone` or `too-many-requests`
   */
  async find(scope: EventScope, position: string | undefined): Promise<FoundEvents> {
    const { db, positions } = this.#parts
    const after = position === undefined ? undefined : positions.read(position, scope)
    await this.#record(scope.org)
    const bounds = await readEventBounds(db, scope.org)
    if (after !== undefined) requireUndeleted(after, bounds, (last) => positions.write(last, scope))
    await this.#selections.open(scope)
    return { after: after ?? bounds.last, last: bounds.last }
  }

  /** Writes a position as a caller gets it. */
  writePosition(position: number, scope: EventScope): string {
    return this.#parts.positions.write(position, scope)
  }

  /**
   * Opens a stream.
   *
   * @param position the position after which it begins, as a caller got it; undefined for new events only
   * @throws RequestProblem `events-gone`, `too-many-requests` or `unavailable`
   */
  async open(scope: StreamScope, position: string | undefined): Promise<Readable> {
    const { timing, positions } = this.#parts
    // A caller that gets no slot selects nothing.
    this.#requireRoom(scope)
    const { after, last } = await this.find(scope, position)
    // Others may have taken the last slot meanwhile.
    this.#requireRoom(scope)
    this.#shares.take(scope.caller)
    const stream = new EventStream(scope, after, {
      elapsed: timing.elapsed,
      shared: this.#shared,
      positions,
      onRoom: () => {
        if (this.#measureLag(stream) > 0) this.#loop.wake()
      },
    })
    this.#streams.add(stream)
    this.#last.set(scope.org, Math.max(last, this.#last.get(scope.org) ?? 0))
    stream.body.once('close', () => {
      this.#streams.delete(stream)
      this.#shares.release(scope.caller)
    })
    if (this.#streams.size === 1) void this.#loop.start()
    this.#loop.wake()
    return stream.body
  }

  /** Checks for new events now. */
  wake(): void {
    this.#mayHaveNews = true
    this.#loop.wake()
  }

  /** Ends all streams and opens no more. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const stream of this.#streams) stream.end()
    await this.#loop.stop()
  }

  /** Records that an organisation has streams. If the database cannot be changed, each check for events tries again. */
  async #record(org: string): Promise<void> {
    if (this.#recorded.has(org)) return
    try {
      await recordStream(this.#parts.db, org)
      this.#recorded.add(org)
    } catch (error) {
      // The stream is opened anyway, because it only reads. While nothing can be recorded, there are no events to miss.
      if (explainUnavailable(error) === undefined) throw error
    }
  }

  /**
   * @throws RequestProblem `too-many-requests` if the caller has too many streams, `unavailable` if its
   * organisation has, or others of its callers
   */
  #requireRoom({ caller }: StreamScope): void {
    const { streamsPerCaller: maxStreams } = this.#parts.limits
    if (this.#isClosed) throw new RequestProblem('unavailable', 'The service is stopping')
    const headers = { [responseHeaders.retryAfter.name]: String(retryAfterS) }
    const streamsOfCaller = [...this.#streams].filter(({ scope }) => scope.caller.caller === caller.caller).length
    if (streamsOfCaller >= maxStreams) {
      const detail = `One API key or address can have at most ${maxStreams} streams of events open at the same time`
      throw new RequestProblem('too-many-requests', detail, { headers })
    }
    if (!this.#shares.hasRoom(caller)) {
      throw new RequestProblem('unavailable', 'Too many streams of events are open; try again later', { headers })
    }
  }

  /** One pass of the loop: sends the events that streams have room for. Returns how long to rest, in milliseconds. */
  async #serve(): Promise<number> {
    const { timing, stalledCallerMs } = this.#parts
    if (this.#streams.size === 0) return Infinity
    if (timing.elapsed() >= this.#checkAt) {
      this.#checkAt = timing.elapsed() + intervalMs
      this.#mayHaveNews = true
      for (const stream of this.#streams) stream.beat(stalledCallerMs)
    }
    if (this.#mayHaveNews) await this.#checkForNews()
    const next = this.#findNext()
    if (next !== undefined) await this.#sendPage(next)
    const hasMore = next !== undefined || this.#mayHaveNews
    return hasMore ? 0 : Math.max(0, this.#checkAt - timing.elapsed())
  }

  async #checkForNews(): Promise<void> {
    this.#mayHaveNews = false
    await this.#checkReaders()
    await this.#selections.renew([...this.#streams].map(({ scope, reader }) => ({ ...scope, reader })))
    const orgs = new Set([...this.#streams].map(({ scope }) => scope.org))
    await Promise.all([...orgs].map((org) => this.#readBounds(org)))
  }

  /** Ends the streams of keys that were revoked, and of callers that have expired. */
  async #checkReaders(): Promise<void> {
    const { db, timing } = this.#parts
    const now = new Date(timing.now())
    const streams = [...this.#streams]
    const ids = new Set(streams.flatMap(({ reader }) => (reader === null || reader.person ? [] : [reader.id])))
    const valid = await listValidApiKeys(db, [...ids], now)
    for (const stream of streams) {
      const { reader } = stream
      if (reader === null) continue
      const key = valid.get(reader.id)
      if (isExpired(reader, now) || (key === undefined && reader.person === undefined)) stream.end()
      else if (key !== undefined) stream.reader = renewCaller(reader, key)
    }
  }

  async #readBounds(org: string): Promise<void> {
    await this.#record(org)
    const { last, deletedThrough } = await readEventBounds(this.#parts.db, org)
    this.#last.set(org, last)
    // Ends streams whose next events were deleted. Their callers get 410 when they resume.
    for (const stream of this.#streams) if (stream.scope.org === org && stream.position < deletedThrough) stream.end()
  }

  /** Number of recorded positions that a stream has not reached. */
  #measureLag({ scope, position }: EventStream): number {
    return (this.#last.get(scope.org) ?? 0) - position
  }

  /** Finds the stream to read events for: one that is nearly up to date, or else the one that has waited longest. */
  #findNext(): EventStream | undefined {
    let longest: EventStream | undefined
    for (const stream of this.#streams) {
      const lag = this.#measureLag(stream)
      if (!stream.hasRoom || lag <= 0) continue
      if (lag <= pageEvents) return stream
      longest ??= stream
    }
    return longest
  }

  async #sendPage(reader: EventStream): Promise<void> {
    const { scope, position: after } = reader
    const last = after + this.#measureLag(reader)
    const { repos, through, events } = await this.#shared.read(scope.org, reader.repos, after, last)
    // The bounds are read afterwards, to notice events that were deleted before they were read.
    await this.#readBounds(scope.org)
    const canTake = ({ hasRoom, scope: { org }, position }: EventStream) =>
      hasRoom && org === scope.org && after <= position && position < through
    const slices = new Slices()
    for (const stream of repos === null ? [...this.#streams] : [reader]) {
      if (!canTake(stream)) continue
      this.#streams.delete(stream)
      this.#streams.add(stream)
      stream.send(events, through)
      if (this.#shared.bytes > this.#parts.limits.streamBytes) this.#dropSlowest()
      if (slices.isOver) await slices.next()
    }
  }

  /** Drops the callers that have read nothing for the longest time, until the unsent events are within the limit. */
  #dropSlowest(): void {
    for (const stream of this.#streams) stream.measure()
    for (const stream of [...this.#streams].sort((left, right) => left.progressAt - right.progressAt)) {
      if (this.#shared.bytes <= this.#parts.limits.streamBytes) return
      stream.drop()
    }
  }
}

/** @throws RequestProblem `events-gone` when events after the position are missing */
function requireUndeleted(
  after: number,
  { last, deletedThrough }: EventBounds,
  write: (position: number) => string,
): void {
  if (deletedThrough <= after && after <= last) return
  const detail =
    after > last
      ? `The last event has the position ${write(last)}. The given position may come from another database`
      : 'Events after the given position have been deleted. ' +
        `A stream after ${write(deletedThrough)} has all remaining events`
  throw new RequestProblem('events-gone', detail)
}
