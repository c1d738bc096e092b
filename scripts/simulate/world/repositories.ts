// Repositories that grow and can be damaged, while the simulated system reports their changes.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ChangingRepository } from '../../history/changing-repository.ts'
import { machine } from '../machine/machine.ts'
import { reportChange } from '../machine/patch-files.ts'

/** Longest time until the service checks a repository again that it could not read, in milliseconds. */
export const longestRetryMs = 121_000

/** How old the last commit of `main` may be, in milliseconds; see `expectations`. */
const maxAgeMs = 60_000

/** How much the clocks of writers differ from that of the database, in milliseconds. */
const writerOffsetsMs = [0, 0, 0, -40_000, 40_000, 3_600_000]

/** One repository. */
export class SimulatedRepository extends ChangingRepository {
  /** Whether the service learns of changes only when it polls. */
  readonly isPolled: boolean
  /** When its file could not be read. */
  readonly damages: { readonly since: number; until: number }[] = []
  /** When it changed last. */
  changedAt = 0
  /** When reports of its changes were lost, by the clock. */
  readonly lostReports: number[] = []

  constructor(name: string, parent: string, index: number, { isPolled = false } = {}) {
    const { random } = machine
    const readWriterClock = () => machine.clock + random.choose(writerOffsetsMs)
    super(name, parent, index, { random, readClock: () => machine.clock, readWriterClock })
    this.isPolled = isPolled
  }

  /** Changes something if it is not damaged. */
  override change(): string | undefined {
    return this.#isDamaged ? undefined : this.#note(super.change())
  }

  override turn(): string | undefined {
    return this.#isDamaged ? undefined : this.#note(super.turn())
  }

  /** Expires and collects what no branch or tag needs, if it is not damaged. */
  override collect(): void {
    if (this.#isDamaged) return
    super.collect()
    machine.say(machine.world, `${this.name} is collected`)
  }

  /** Whether the last commit of `main` becomes too old for what is expected of it within this time, in milliseconds. */
  isStaleWithin(ms: number): boolean {
    const { clock = 0, writtenAt = 0 } = this.changes.get('branch main')?.at(-1) ?? {}
    const leftMs = Math.min(clock, writtenAt) + maxAgeMs - machine.clock
    return leftMs > 0 && leftMs < ms
  }

  #note(what: string | undefined): string | undefined {
    if (what === undefined) return undefined
    this.changedAt = machine.now
    machine.say(machine.world, `${this.name} changes`, what)
    return what
  }

  /** Damages the file that lists the commits. */
  damage(how: 'missing' | 'cut'): void {
    if (this.#isDamaged) return
    this.damages.push({ since: machine.now, until: Infinity })
    machine.say(machine.world, `${this.name} is damaged`, how)
    const file = join(this.directory, 'repo')
    if (how === 'missing') rmSync(file)
    else writeFileSync(file, readFileSync(file).subarray(0, -9))
  }

  /** Repairs the damage, if there is some. */
  mend(): void {
    const damage = this.damages.at(-1)
    if (damage === undefined || !this.#isDamaged) return
    damage.until = machine.now
    machine.say(machine.world, `${this.name} is mended`)
    this.write()
  }

  /** Whether it was damaged at some time between two, or the service may not have looked at it again since then. */
  wasDamaged(since: number, until: number): boolean {
    return this.damages.some((damage) => damage.since <= until && damage.until + longestRetryMs >= since)
  }

  protected override write(): void {
    super.write()
    reportChange(this.directory, 'repo', () => changeSignals.delay(this))
  }

  get #isDamaged(): boolean {
    return this.damages.at(-1)?.until === Infinity
  }
}

/** How long the system takes to report a change, in milliseconds; undefined if it loses the report. */
export const changeSignals = {
  delay: (_repository: SimulatedRepository): number | undefined => machine.random.between(0.1, 5),
}
