// All streams of events of a process.
import type { Readable } from 'node:stream'
import {
  type Database,
  type EventBounds,
  isExpired,
  listValidApiKeys,
  readEventBounds,
  readEvents,
} from '@floe/storage/database'
import pLimit from 'p-limit'
import { RequestProblem } from '../problems/request-problem.ts'
import type { Timing } from '../timing.ts'
import { EventStream, type StreamScope } from './event-stream.ts'
import { EventTail, pageEvents } from './event-tail.ts'
import { StreamCounts, type StreamLimits } from './stream-limits.ts'

/** What {@link EventStreams} work with. */
export type EventStreamsParts = {
  readonly db: Database
  readonly timing: Pick<Timing, 'now' | 'elapsed' | 'after'>
  readonly limits: StreamLimits
  /** A caller who reads nothing for so long is dropped, in milliseconds. */
  readonly stalledReaderMs: number
  /** Called with failures in the background. A stream that could not be brought up to date has ended. */
  readonly onError: (error: unknown) => void
}

/** Time between two looks at keys, callers and, when no message has come, the record, in milliseconds. */
const intervalMs = 400

/** Streams that are brought up to date at the same time. */
const maxCatchingUp = 4

/** Opens streams and sees to them until they end. Nothing runs while there is none. */
export class EventStreams {
  readonly #parts: EventStreamsParts
  readonly #counts: StreamCounts
  readonly #limitReads = pLimit(maxCatchingUp)
  readonly #streams = new Set<EventStream>()
  /** By organisation. */
  readonly #tails = new Map<string, EventTail>()
  #isChecking = false
  #isClosed = false
  #cancelNext: () => void = () => {}

  constructor(parts: EventStreamsParts) {
    // After the end of all streams, a read that fails fails nobody: the database may be closed already.
    const onError = (error: unknown) => {
      if (!this.#isClosed) parts.onError(error)
    }
    this.#parts = { ...parts, onError }
    this.#counts = new StreamCounts(parts.limits)
  }

  /**
   * Opens a stream.
   *
   * @param caller whose stream it is, for the limits
   * @param after the position after which it begins; undefined means with what is recorded from now on
   * @throws RequestProblem `events-gone`, `too-many-requests` or `unavailable`
   */
  async open(scope: StreamScope, caller: string, after: number | undefined): Promise<Readable> {
    const { db, timing, stalledReaderMs } = this.#parts
    const giveBack = this.#counts.take(caller)
    try {
      const bounds = await readEventBounds(db, scope.org)
      requireKept(after, bounds)
      if (this.#isClosed) throw new RequestProblem('unavailable', 'The service is stopping')
      const stream = new EventStream(scope, after ?? bounds.last, { elapsed: timing.elapsed, stalledReaderMs })
      this.#follow(stream, bounds.last, giveBack)
      return stream.body
    } catch (error) {
      giveBack()
      throw error
    }
  }

  /** Streams that are open. */
  get size(): number {
    return this.#streams.size
  }

  /** Looks for new events now. */
  wake(): void {
    for (const tail of this.#tails.values()) tail.wake()
  }

  /** Ends all streams and opens no more. */
  close(): void {
    this.#isClosed = true
    this.#cancelNext()
    for (const stream of this.#streams) stream.end()
  }

  #follow(stream: EventStream, through: number, giveBack: () => void): void {
    const tail = this.#findTail(stream.org)
    if (this.#streams.size === 0) this.#planNext()
    this.#streams.add(stream)
    stream.body.once('close', () => {
      giveBack()
      tail.leave(stream)
      this.#streams.delete(stream)
      if (this.#streams.size === 0) this.#cancelNext()
    })
    this.#bringUpToDate(stream, tail, through)
  }

  #findTail(org: string): EventTail {
    const known = this.#tails.get(org)
    if (known !== undefined) return known
    const { db, onError } = this.#parts
    const onLag = (stream: EventStream) => this.#bringUpToDate(stream, tail, stream.position)
    const tail = new EventTail({ db, org, onLag, onError })
    this.#tails.set(org, tail)
    return tail
  }

  /** Sends what was recorded before, then lets the stream join those that get each event at once. */
  #bringUpToDate(stream: EventStream, tail: EventTail, through: number): void {
    this.#sendRecorded(stream, tail, through).catch((error: unknown) => {
      stream.end()
      this.#parts.onError(error)
    })
  }

  /** @param through events up to this position are recorded */
  async #sendRecorded(stream: EventStream, tail: EventTail, through: number): Promise<void> {
    const { db } = this.#parts
    const { org } = stream
    for (let last = through; ;) {
      // One that joins while much waits for its caller would leave again at once.
      await stream.drain()
      if (stream.isEnded || tail.join(stream)) return
      const { position: after, repos } = stream
      const query = { org, repos, after, through: last, limit: pageEvents }
      const page = await this.#limitReads(() => readEvents(db, query))
      const bounds = await readEventBounds(db, org)
      // The caller is told when it resumes.
      if (bounds.deletedThrough > after) return stream.end()
      await stream.write(page)
      last = bounds.last
    }
  }

  #planNext(): void {
    this.#cancelNext = this.#parts.timing.after(intervalMs, () => {
      void this.#checkKeys()
      for (const stream of this.#streams) stream.beat()
      this.wake()
      if (this.#streams.size > 0) this.#planNext()
    })
  }

  /** Ends the streams of keys that were revoked or have expired. */
  async #checkKeys(): Promise<void> {
    const { db, timing, onError } = this.#parts
    const now = new Date(timing.now())
    for (const stream of this.#streams) if (stream.key !== null && isExpired(stream.key, now)) stream.end()
    if (this.#isChecking) return
    this.#isChecking = true
    const streams = [...this.#streams]
    const ids = new Set(streams.flatMap(({ key }) => (key === null ? [] : [key.id])))
    try {
      const valid = await listValidApiKeys(db, [...ids], now)
      for (const stream of streams) {
        if (stream.key === null) continue
        const key = valid.get(stream.key.id)
        if (key === undefined) stream.end()
        else stream.renewKey(key)
      }
    } catch (error) {
      onError(error)
    } finally {
      this.#isChecking = false
    }
  }
}

/** @throws RequestProblem `events-gone` when events after the position are missing */
function requireKept(after: number | undefined, { last, deletedThrough }: EventBounds): void {
  if (after === undefined) return
  if (after > last) {
    const detail = `The last event has the position ${last}. The position ${after} may come from another database`
    throw new RequestProblem('events-gone', detail)
  }
  if (after < deletedThrough) {
    const detail = `Events up to the position ${deletedThrough} have been deleted. The stream after ${deletedThrough} has all that are left`
    throw new RequestProblem('events-gone', detail)
  }
}
