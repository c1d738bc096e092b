// The end of the record of one organisation: read once for all who follow it.
import { setImmediate } from 'node:timers/promises'
import { type Database, type PlacedEvent, readEventBounds, readEvents } from '@floe/storage/database'
import type { EventStream } from './event-stream.ts'
import { writeEvent } from './write-event.ts'

/** Events of one read. The largest payloads have 256 KB. */
export const pageEvents = 32

/** Streams that get an event before other work has its turn. */
const streamsInOneGo = 100

/** What an {@link EventTail} works with. */
export type EventTailParts = {
  readonly db: Database
  readonly org: string
  /** Called with a stream whose caller reads too slowly to get each event at once. It has left, and has to join again. */
  readonly onLag: (stream: EventStream) => void
  /** Called with a failed read, once until one succeeds; the next one makes up for it. */
  readonly onError: (error: unknown) => void
}

/** Reads new events while somebody follows them. */
export class EventTail {
  readonly #parts: EventTailParts
  readonly #streams = new Set<EventStream>()
  /** All streams get, or were given, the events up to here. */
  #position = 0
  #isReading = false
  #isAskedAgain = false
  #hasFailed = false

  constructor(parts: EventTailParts) {
    this.#parts = parts
  }

  /**
   * Gives a stream all further events, if it has got all up to now.
   *
   * @returns false when it has to be brought up to date first
   */
  join(stream: EventStream): boolean {
    if (this.#streams.size === 0 && !this.#isReading) this.#position = stream.position
    if (stream.position < this.#position) return false
    this.#streams.add(stream)
    // Something may have been recorded since the stream was brought up to date.
    this.wake()
    return true
  }

  /** Gives a stream no further events. */
  leave(stream: EventStream): void {
    this.#streams.delete(stream)
  }

  /** Looks for new events now. */
  wake(): void {
    if (this.#streams.size === 0) return
    if (this.#isReading) this.#isAskedAgain = true
    else void this.#read()
  }

  async #read(): Promise<void> {
    this.#isReading = true
    try {
      do {
        this.#isAskedAgain = false
        await this.#readToEnd()
      } while (this.#isAskedAgain)
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) this.#parts.onError(error)
      this.#hasFailed = true
    } finally {
      this.#isReading = false
    }
  }

  async #readToEnd(): Promise<void> {
    const { db, org } = this.#parts
    let bounds = await readEventBounds(db, org)
    while (this.#streams.size > 0 && this.#position < bounds.last) {
      const range = { after: this.#position, through: bounds.last, limit: pageEvents }
      const { events, through } = await readEvents(db, { org, repos: null, ...range })
      bounds = await readEventBounds(db, org)
      if (bounds.deletedThrough > range.after) {
        // They are told when they resume.
        for (const stream of this.#streams) stream.end()
        return
      }
      // First, so that a stream which joins meanwhile has got these events otherwise.
      this.#position = through
      await this.#pass(events)
    }
  }

  #dismiss(stream: EventStream): void {
    this.#streams.delete(stream)
    this.#parts.onLag(stream)
  }

  async #pass(events: readonly PlacedEvent[]): Promise<void> {
    let passed = 0
    for (const event of events) {
      let bytes: Buffer | undefined
      const encode = () => (bytes ??= writeEvent(event))
      for (const stream of this.#streams) {
        if (!stream.offer(event, encode)) this.#dismiss(stream)
        if (++passed % streamsInOneGo === 0) await setImmediate()
      }
    }
  }
}
