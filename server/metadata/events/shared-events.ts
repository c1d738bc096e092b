// Recorded events in the form that streams send. All streams that send an event share its bytes.
import { type Database, type StreamEvent, readEvents } from '@floe/storage/database'

/** An event as it is sent. */
export type SharedEvent = Omit<StreamEvent, 'payload'> & {
  /** Organisation and position. */
  readonly id: string
  readonly bytes: Buffer
  /** Number of streams that are sending it. */
  streams: number
}

/**
 * All events of some repositories up to the position `through`, in order. `repos` is null for all of the organisation.
 */
export type SharedPage = {
  readonly repos: readonly string[] | null
  readonly through: number
  readonly events: readonly SharedEvent[]
}

/** Maximum number of events per page. The largest payloads have 256 KB. */
export const pageEvents = 8

/** Keeps each event in memory while at least one stream is sending it. */
export class SharedEvents {
  readonly #db: Database
  readonly #events = new Map<string, SharedEvent>()
  #bytes = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** Size of all events that are being sent. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Reads the page after a position. The last few events are read once for all callers; if there are more, only those
   * of the wanted repositories are read.
   *
   * @param last position of the last recorded event
   */
  async read(org: string, wanted: readonly string[] | null, after: number, last: number): Promise<SharedPage> {
    const retained = this.#listRetained(org, after)
    if (retained.length > 0) return { repos: null, through: after + retained.length, events: retained }
    const repos = last - after <= pageEvents ? null : wanted
    const page = await readEvents(this.#db, { org, repos, after, through: last, limit: pageEvents })
    const events = page.events.map((event) => {
      const id = `${org} ${event.position}`
      const { payload: _, ...facts } = event
      const known = this.#events.get(id)
      return known ?? { id, ...facts, bytes: writeEvent(event), streams: 0 }
    })
    return { repos, through: page.through, events }
  }

  /** Notes that a stream begins to send an event. */
  retain(event: SharedEvent): void {
    if (event.streams++ > 0) return
    this.#events.set(event.id, event)
    this.#bytes += event.bytes.length
  }

  /** Notes that a stream has sent an event, or has ended. */
  release(event: SharedEvent): void {
    if (--event.streams > 0) return
    this.#events.delete(event.id)
    this.#bytes -= event.bytes.length
  }

  /** Lists events that other streams are sending and that follow a position without a gap. */
  #listRetained(org: string, after: number): SharedEvent[] {
    const events: SharedEvent[] = []
    while (events.length < pageEvents) {
      const event = this.#events.get(`${org} ${after + events.length + 1}`)
      if (event === undefined) break
      events.push(event)
    }
    return events
  }
}

/**
 * Writes a Server-Sent Event (https://html.spec.whatwg.org/multipage/server-sent-events.html), except for its `id`,
 * which depends on the caller. Its payload is JSON on one line.
 */
function writeEvent({ name, payload }: StreamEvent): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${payload}\n\n`)
}
