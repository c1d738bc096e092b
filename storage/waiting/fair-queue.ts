import { FairShares } from './fair-shares.ts'
import type { Tenant, TenantCaller } from './tenant.ts'
import { WaitingTasks } from './waiting-tasks.ts'

/**
 * Runs tasks in a number of slots, by default one at a time. Tenants, such as organisations, take turns: each free slot
 * goes to the tenant that has waited longest. A tenant gets at most half of the slots that the others leave free. So a
 * tenant that runs no task gets a slot as soon as one becomes free, after at most one task of each other tenant. If
 * tasks name their callers, the callers of a tenant take turns too, and anonymous ones go after all others.
 */
export class FairQueue {
  readonly #shares: FairShares
  readonly #slots: number
  /** Waiting tasks by tenant. */
  readonly #waiting = new Map<string, WaitingTasks>()
  /** The waiting tenants, longest first. An array, because a map is slow to find its first entry after deletions. */
  readonly #order: string[] = []
  #load = 0

  constructor(slots = 1) {
    this.#slots = slots
    this.#shares = new FairShares(() => slots)
  }

  /** Number of running and waiting tasks. */
  get load(): number {
    return this.#load
  }

  /** Number of tasks that wait for a slot. */
  get waiting(): number {
    return this.#load - this.#shares.taken
  }

  /**
   * Runs a task of a tenant as soon as it gets a slot. A task whose signal aborts while it waits is dropped.
   *
   * @throws the reason of the signal
   */
  async run<T>(tenant: Tenant, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const caller = typeof tenant === 'string' ? { tenant, caller: '', isAnonymous: false } : tenant
    const { tenant: name } = caller
    signal?.throwIfAborted()
    this.#load += 1
    try {
      if (this.#shares.hasRoom(name)) this.#shares.take(name)
      else await this.#wait(caller, signal)
      try {
        return await task()
      } finally {
        this.#shares.release(name)
        this.#startNext(name)
      }
    } finally {
      this.#load -= 1
    }
  }

  /** Resolves when the task has a slot. */
  async #wait(caller: TenantCaller, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      this.#leave(caller, resolve)
      // A signal can abort with any value.
      reject(signal?.reason)
    }
    const { tenant } = caller
    let tasks = this.#waiting.get(tenant)
    if (tasks === undefined) {
      tasks = new WaitingTasks()
      this.#waiting.set(tenant, tasks)
      this.#order.push(tenant)
    }
    tasks.add(caller, resolve)
    signal?.addEventListener('abort', leave)
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  #leave(caller: TenantCaller, start: () => void): void {
    const { tenant } = caller
    const tasks = this.#waiting.get(tenant)
    tasks?.remove(caller, start)
    if (tasks?.isEmpty !== true) return
    this.#waiting.delete(tenant)
    this.#order.splice(this.#order.indexOf(tenant), 1)
  }

  /** Starts waiting tasks in the free slots. The tenant whose task has just ended comes last. */
  #startNext(lastTenant: string): void {
    for (let tenant = this.#takeNext(lastTenant); tenant !== undefined; tenant = this.#takeNext(lastTenant)) {
      const tasks = this.#waiting.get(tenant)
      const start = tasks?.takeNext()
      if (tasks?.isEmpty === false) this.#order.push(tenant)
      else this.#waiting.delete(tenant)
      this.#shares.take(tenant)
      start?.()
    }
  }

  /** Takes the tenant that may start its next task from the waiting ones; undefined if none may. */
  #takeNext(lastTenant: string): string | undefined {
    if (this.#shares.taken >= this.#slots) return undefined
    // Skips only tenants that have their share of the slots, so this is quick however many tenants wait.
    let next = this.#order.findIndex((tenant) => tenant !== lastTenant && this.#shares.hasRoom(tenant))
    if (next < 0 && this.#shares.hasRoom(lastTenant)) next = this.#order.indexOf(lastTenant)
    return next < 0 ? undefined : this.#order.splice(next, 1)[0]
  }
}
