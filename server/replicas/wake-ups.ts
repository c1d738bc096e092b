import { type Database, listenForWakeUps, sendWakeUp, type WakeUp } from '@floe/storage/database'
import type { Timing } from '../timing.ts'

/** What {@link WakeUps} work with. */
export type WakeUpParts = {
  readonly db: Database
  /** Address of the same database. */
  readonly url: string
  readonly timing: Pick<Timing, 'after' | 'random'>
  /** Called when a message cannot be sent, or when nothing can be heard for a while. */
  readonly onError: (error: unknown) => void
}

/** Tells this process and all replicas that there is something to do, and hears it from them. */
export class WakeUps {
  readonly #parts: WakeUpParts
  readonly #callbacks = new Map<WakeUp, (() => void)[]>()
  /** Messages under way; those that are asked for again meanwhile are sent once more afterwards. */
  readonly #sending = new Map<WakeUp, { isAskedAgain: boolean; done: Promise<void> }>()
  #close: () => void = () => {}

  constructor(parts: WakeUpParts) {
    this.#parts = parts
  }

  /** Adds something that happens when a message comes. */
  on(wakeUp: WakeUp, callback: () => void): void {
    this.#callbacks.set(wakeUp, [...(this.#callbacks.get(wakeUp) ?? []), callback])
  }

  /** Begins to listen to the others. */
  async start(): Promise<void> {
    this.#close = await listenForWakeUps(this.#parts.url, {
      ...this.#parts.timing,
      onWakeUp: (wakeUp) => this.#call(wakeUp),
      onError: this.#parts.onError,
    })
  }

  /** Tells this process at once, and all replicas in the background. */
  send(wakeUp: WakeUp): void {
    this.#call(wakeUp)
    const sending = this.#sending.get(wakeUp)
    if (sending === undefined) this.#sending.set(wakeUp, this.#tellAll(wakeUp))
    else sending.isAskedAgain = true
  }

  /** Ends the listening; resolves when all messages are sent. */
  async stop(): Promise<void> {
    this.#close()
    await Promise.all([...this.#sending.values()].map(({ done }) => done))
  }

  #call(wakeUp: WakeUp): void {
    for (const callback of this.#callbacks.get(wakeUp) ?? []) callback()
  }

  #tellAll(wakeUp: WakeUp) {
    const { db, onError } = this.#parts
    const tell = async () => {
      do {
        sending.isAskedAgain = false
        await sendWakeUp(db, wakeUp).catch(onError)
      } while (sending.isAskedAgain)
      this.#sending.delete(wakeUp)
    }
    const sending = { isAskedAgain: false, done: Promise.resolve() }
    sending.done = tell()
    return sending
  }
}
