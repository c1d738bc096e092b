// The stream of one caller.
import { Readable } from 'node:stream'
import type { ApiKey, EventPage, PlacedEvent } from '@floe/storage/database'
import { mayRead } from '../access/access-hook.ts'
import type { Timing } from '../timing.ts'
import { writeBeginning, writeEvent, writeHeartbeat } from './write-event.ts'

/** Who follows what. */
export type StreamScope = {
  readonly org: string
  /** Null on a public deployment, where everybody may read everything. */
  readonly key: ApiKey | null
  /** Name of the repository; undefined means all that the key may read. */
  readonly repo: string | undefined
}

/** What a stream works with. */
export type StreamOptions = {
  readonly elapsed: Timing['elapsed']
  /** A caller who reads nothing for so long is dropped, in milliseconds. */
  readonly stalledReaderMs: number
}

/** Bytes that may wait for a caller who reads more slowly than events come. The largest event alone may be waiting in any case. */
const maxWaitingBytes = 524_288

/** Longest time in which nothing is sent, in milliseconds. Most proxies end a silent answer after 30 seconds or more. */
const heartbeatMs = 15_000

/** Sends events to one caller, in order and each once. Its end is the end of the answer; the caller can resume. */
export class EventStream {
  /** The body of the answer. */
  readonly body: Readable
  readonly org: string
  readonly #repo: string | undefined
  readonly #options: StreamOptions
  #key: ApiKey | null
  #position: number
  #writtenBytes = 0
  #consumedBytes = 0
  #progressAt: number
  #sentAt: number
  /** Whether the end of the answer was pushed. The stream itself says so only when it was read, and an error follows a push before. */
  #isEnding = false
  #onDrained: () => void = () => {}

  /** @param after the stream begins after the event with this position */
  constructor({ org, key, repo }: StreamScope, after: number, options: StreamOptions) {
    this.org = org
    this.#repo = repo
    this.#key = key
    this.#options = options
    this.#position = after
    this.#progressAt = this.#sentAt = options.elapsed()
    // Without a mark, Node.js asks for more only when everything was taken.
    this.body = new Readable({ highWaterMark: 0, read: () => this.#onDrained() })
    this.body.once('close', () => this.#onDrained())
    this.#push(writeBeginning(after))
  }

  /** All events of the caller up to this position were sent. */
  get position(): number {
    return this.#position
  }

  /** Whether nothing more is sent: the caller has left, or the service has ended the answer. */
  get isEnded(): boolean {
    return this.#isEnding || this.body.destroyed
  }

  /** The key whose holder reads the stream; null for anybody. */
  get key(): ApiKey | null {
    return this.#key
  }

  /** Names of the repositories whose events it carries; null means all of the organisation. */
  get repos(): readonly string[] | null {
    if (this.#repo === undefined) return this.#key?.repos ?? null
    return mayRead(this.#key, this.#repo) ? [this.#repo] : []
  }

  /** Replaces the key by its present record, which may cover other repositories. */
  renewKey(key: ApiKey): void {
    this.#key = key
  }

  /** Sends a page, as fast as the caller reads. It must follow on what was sent. Resolves early when the stream ends. */
  async write({ events, through }: EventPage): Promise<void> {
    for (const event of events) {
      await this.drain()
      if (this.isEnded) return
      this.#position = event.position
      this.#push(writeEvent(event))
    }
    this.#position = through
  }

  /** Resolves when nothing waits for the caller any more, or the stream has ended. */
  async drain(): Promise<void> {
    if (this.body.readableLength === 0 || this.isEnded) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onDrained = resolve
    await promise
  }

  /**
   * Sends an event that has just been recorded.
   *
   * @param encode returns the bytes of the event, which all streams share
   * @returns false when too much waits for the caller: then the event and those that follow have to be sent with {@link write}
   */
  offer(event: PlacedEvent, encode: () => Buffer): boolean {
    if (this.isEnded || event.position <= this.#position) return true
    if (this.#covers(event.repo)) {
      const bytes = encode()
      const waiting = this.body.readableLength
      if (waiting > 0 && waiting + bytes.length > maxWaitingBytes) return false
      this.#push(bytes)
    }
    this.#position = event.position
    return true
  }

  /** Sends a sign of life when it is time. Ends the stream of a caller who has stopped to read. */
  beat(): void {
    if (this.isEnded) return
    const now = this.#options.elapsed()
    const waiting = this.body.readableLength
    const consumed = this.#writtenBytes - waiting
    if (waiting === 0 || consumed > this.#consumedBytes) this.#progressAt = now
    this.#consumedBytes = consumed
    if (now - this.#progressAt > this.#options.stalledReaderMs) this.body.destroy()
    else if (now - this.#sentAt >= heartbeatMs) this.#push(writeHeartbeat(this.#position))
  }

  /** Ends the answer, at once when the caller has not read everything. */
  end(): void {
    if (this.body.readableLength > 0) this.body.destroy()
    else if (!this.isEnded) {
      this.#isEnding = true
      this.body.push(null)
    }
  }

  #covers(repo: string): boolean {
    return (this.#repo === undefined || this.#repo === repo) && mayRead(this.#key, repo)
  }

  #push(bytes: Buffer): void {
    this.#sentAt = this.#options.elapsed()
    this.#writtenBytes += bytes.length
    this.body.push(bytes)
  }
}
