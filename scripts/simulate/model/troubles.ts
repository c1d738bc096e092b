import { machine, type Owner } from '../machine/machine.ts'

/** What was done to the service, which excuses some of what it does. */
export class Troubles {
  /** When processes were killed or paused, and when a pause ended. */
  readonly #disturbed = new Map<Owner, number[]>()
  readonly #database: number[] = []
  clockSteps = 0
  /** Whether files are slow or fail at times, which also makes repositories unreadable. */
  hasFileTroubles = false

  noteProcess(owner: Owner, at = machine.now): void {
    this.#disturbed.set(owner, [...(this.#disturbed.get(owner) ?? []), at])
  }

  noteDatabase(at = machine.now): void {
    if (Math.abs(at - (this.#database.at(-1) ?? -Infinity)) > 1_000) this.#database.push(at)
  }

  /** When a process was killed or paused last, before a time. */
  findLast(owner: Owner, until: number): number | undefined {
    return this.#disturbed.get(owner)?.findLast((at) => at <= until)
  }

  /** Whether nothing happened to the database between two times, and no process was disturbed, or started. */
  isQuiet(since: number, until: number): boolean {
    const starts = [...machine.processes.values()].map(({ readyAt }) => readyAt)
    const all = [...this.#database, ...[...this.#disturbed.values()].flat(), ...starts]
    return !all.some((at) => at >= since && at <= until)
  }

  /** Whether a process may not have recorded something that it did between two times. */
  excuses(owner: Owner, since: number, until: number): boolean {
    const isWithin = (at: number) => at >= since && at <= until
    return (this.#disturbed.get(owner) ?? []).some(isWithin) || this.#database.some(isWithin)
  }
}
