import type { TenantCaller } from './tenant.ts'

/** Starts a task that has waited. */
type Start = () => void

/** The waiting tasks of a caller, in order. */
type CallerTasks = Pick<TenantCaller, 'caller' | 'isAnonymous'> & { readonly tasks: Start[] }

/** The waiting tasks of one tenant. Its callers take turns; anonymous ones go after all others. */
export class WaitingTasks {
  /** The callers that have waited longest come first. */
  readonly #callers: CallerTasks[] = []

  get isEmpty(): boolean {
    return this.#callers.length === 0
  }

  add({ caller, isAnonymous }: TenantCaller, task: Start): void {
    const waiting = this.#callers.find((other) => other.caller === caller)
    if (waiting === undefined) this.#callers.push({ caller, isAnonymous, tasks: [task] })
    else waiting.tasks.push(task)
  }

  /** Removes a task that no longer waits. */
  remove({ caller }: Pick<TenantCaller, 'caller'>, task: Start): void {
    const index = this.#callers.findIndex((other) => other.caller === caller)
    const tasks = this.#callers[index]?.tasks
    const place = tasks?.indexOf(task) ?? -1
    if (place >= 0) tasks?.splice(place, 1)
    if (tasks?.length === 0) this.#callers.splice(index, 1)
  }

  /** Takes the task that is next; undefined if none waits. */
  takeNext(): Start | undefined {
    const known = this.#callers.findIndex(({ isAnonymous }) => !isAnonymous)
    const [next] = this.#callers.splice(Math.max(known, 0), 1)
    const task = next?.tasks.shift()
    if (next !== undefined && next.tasks.length > 0) this.#callers.push(next)
    return task
  }
}
