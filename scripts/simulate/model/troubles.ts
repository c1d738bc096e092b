import { machine, type Owner } from '../machine/machine.ts'

/** After this time without trouble, all replicas do their work, in milliseconds. */
const calmMs = 30_000

/** After this time, all processes know that the clock was set, in milliseconds. */
const clockNoticedMs = 10_000

/** What was done to the service, which excuses some of what it does. */
export class Troubles {
  /** When processes were killed or paused, and when a pause ended. */
  readonly #disturbed = new Map<Owner, number[]>()
  readonly #database: number[] = []
  /** When anything began or ended that slows the service down. */
  readonly #hindrances: number[] = []
  /** {@link findTime} converts no time of the clock before it was set last to a later time than this. */
  #knowsTimesAfter = -Infinity
  /** Whether the clock of the world was ever set back. */
  wasSetBack = false
  /** Whether files are slow or fail at times, which also makes repositories unreadable. */
  hasFileTroubles = false

  /** How often a check excused something, by what it excused. */
  readonly excused = new Map<string, number>()

  /** Counts an excuse. Returns whether there is one. */
  excuse(what: string, isExcused: boolean): boolean {
    if (isExcused) this.excused.set(what, (this.excused.get(what) ?? 0) + 1)
    return isExcused
  }

  noteHindrance(at = machine.now): void {
    if (at !== this.#hindrances.at(-1)) this.#hindrances.push(at)
  }

  /** Notes something that slows the service down from now on, for some milliseconds. */
  noteHindranceFor(ms: number): void {
    for (let passed = 0; passed < ms; passed += calmMs) this.noteHindrance(machine.now + passed)
    this.noteHindrance(machine.now + ms)
  }

  noteProcess(owner: Owner, at = machine.now): void {
    this.#disturbed.set(owner, [...(this.#disturbed.get(owner) ?? []), at])
    this.noteHindrance(at)
  }

  noteDatabase(at = machine.now): void {
    if (Math.abs(at - (this.#database.at(-1) ?? -Infinity)) > 1_000) this.#database.push(at)
    this.noteHindrance(at)
  }

  /** Notes that the clock of the world was set, by milliseconds. */
  noteClockStep(ms: number): void {
    const { now } = machine
    this.#knowsTimesAfter = Math.max(now, Math.max(now, this.#knowsTimesAfter) - ms) + clockNoticedMs
    this.wasSetBack ||= ms < 0
  }

  /** Converts a time of the clock. The result is wrong if the clock was set later: see {@link knowsTimesSince}. */
  findTime(clock: number): number {
    return clock - (machine.clock - machine.now)
  }

  /** The opposite of {@link findTime}. */
  findClock(at: number): number {
    return at + (machine.clock - machine.now)
  }

  /** Whether the clock was not set since a time. */
  knowsTimesSince(at: number): boolean {
    return at > this.#knowsTimesAfter
  }

  /** Whether nothing slowed the service down between two times, and for a while before. */
  isCalm(since: number, until: number): boolean {
    return this.knowsTimesSince(since) && !this.#hindrances.some((at) => at >= since - calmMs && at <= until)
  }

  /** When a process was killed or paused last, before a time. */
  findLast(owner: Owner, until: number): number | undefined {
    return this.#disturbed.get(owner)?.findLast((at) => at <= until)
  }

  /** Whether something happened to a process or to the database between two times. */
  wasDisturbed(since: number, until: number): boolean {
    return [...this.#disturbed.values(), this.#database].flat().some((at) => at >= since && at <= until)
  }

  /** Whether nothing happened to the database between two times, and no process was disturbed, or started. */
  isQuiet(since: number, until: number): boolean {
    const starts = [...machine.processes.values()].map(({ readyAt }) => readyAt)
    return !this.wasDisturbed(since, until) && !starts.some((at) => at >= since && at <= until)
  }

  /** Whether a process may not have recorded something that it did between two times. */
  excuses(owner: Owner, since: number, until: number): boolean {
    const isWithin = (at: number) => at >= since && at <= until
    return (this.#disturbed.get(owner) ?? []).some(isWithin) || this.#database.some(isWithin)
  }
}
