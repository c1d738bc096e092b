// Somebody who uses the service at random times: a person or a program, in a process that no trouble touches.
import { machine } from '../machine/machine.ts'

type ActorParts = {
  readonly name: string
  /** What the trace says of the actor while it waits. */
  readonly does: string
  /** Mean time between two acts, in milliseconds. */
  readonly everyMs: number
  readonly act: () => Promise<void>
}

export class Actor {
  readonly #parts: ActorParts
  #isOver = false
  #work: Promise<void> = Promise.resolve()

  constructor(parts: ActorParts) {
    this.#parts = parts
  }

  start(): void {
    machine.as(machine.start('observer'), () => {
      this.#work = this.#actOften().catch((error: unknown) => {
        machine.fault(`${this.#parts.name} fails: ${error instanceof Error ? error.stack : String(error)}`)
      })
    })
  }

  /** Waits until the last act has ended. */
  async finish(): Promise<void> {
    this.#isOver = true
    await this.#work
  }

  async #actOften(): Promise<void> {
    const { name, does, everyMs, act } = this.#parts
    for (;;) {
      await machine.wait(-Math.log(1 - machine.random.next()) * everyMs, does, name)
      if (this.#isOver) return
      await act()
    }
  }
}
