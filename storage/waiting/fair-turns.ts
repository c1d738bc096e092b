import { FairShares } from './fair-shares.ts'

type Start = () => void

/**
 * Runs tasks in a number of places, by default one at a time. Groups, such as organisations, take turns: each free place goes to the group
 * that has waited longest for its turn. A group can take at most half of the places that the others leave free, so the first task of a group
 * that runs none starts when any place becomes free, and waits at most for one task of each other group.
 */
export class FairTurns {
  readonly #places: FairShares
  /** Waiting tasks by group. */
  readonly #waiting = new Map<string, Start[]>()
  /** The waiting groups, in the order of their turns. Not the order of the map: a map is slow to find its first entry after deletions. */
  readonly #turns: string[] = []
  readonly #count: number
  #load = 0

  constructor(places = 1) {
    this.#count = places
    this.#places = new FairShares(() => places)
  }

  /** Number of running and waiting tasks. */
  get load(): number {
    return this.#load
  }

  /** Runs a task when its turn has come. */
  async run<T>(group: string, task: () => Promise<T>): Promise<T> {
    this.#load += 1
    if (this.#places.hasRoom(group)) this.#places.take(group)
    else await this.#wait(group)
    try {
      return await task()
    } finally {
      this.#load -= 1
      this.#places.release(group)
      this.#startNext(group)
    }
  }

  /** Resolves when the task has a place. */
  #wait(group: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const tasks = this.#waiting.get(group)
    if (tasks === undefined) {
      this.#waiting.set(group, [resolve])
      this.#turns.push(group)
    } else tasks.push(resolve)
    return promise
  }

  /** Starts the tasks that have room now. The group that has just ended a task comes last. */
  #startNext(ended: string): void {
    for (let group = this.#takeTurn(ended); group !== undefined; group = this.#takeTurn(ended)) {
      const tasks = this.#waiting.get(group) ?? []
      const start = tasks.shift()
      if (tasks.length > 0) this.#turns.push(group)
      else this.#waiting.delete(group)
      this.#places.take(group)
      start?.()
    }
  }

  #takeTurn(ended: string): string | undefined {
    if (this.#places.taken >= this.#count) return undefined
    // Passes only over groups that have their share of the places, so this is short however many groups wait.
    let next = this.#turns.findIndex((group) => group !== ended && this.#places.hasRoom(group))
    if (next < 0 && this.#places.hasRoom(ended)) next = this.#turns.indexOf(ended)
    return next < 0 ? undefined : this.#turns.splice(next, 1)[0]
  }
}
