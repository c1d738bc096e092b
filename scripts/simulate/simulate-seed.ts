// Runs a seed on the machine of this process, in a directory and with a database of its own.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SeededRandom } from '../history/seeded-random.ts'
import { useSqlite } from './databases/sqlite-thread.ts'
import { machine } from './machine/machine.ts'
import { Simulation, type SimulationOptions } from './simulation.ts'

/** How to start the database of a run, by its engine; returns its address. */
const engines: Readonly<Record<string, () => Promise<string>>> = {
  async sqlite() {
    useSqlite()
    return 'sqlite:floe.db'
  },
  // Loaded on demand, because it takes long.
  postgres: async () => (await import('./databases/postgres-server.ts')).startPostgres(),
}

export type SimulationResult = {
  readonly hash: string
  readonly faults: readonly string[]
  readonly lastSteps: readonly string[]
  readonly simulatedMs: number
  readonly steps: number
  /** What went wrong on purpose, and what receivers got. */
  readonly summary: string
}

const hourMs = 3_600_000

/** Files in memory, where the system has them. */
const memory = '/dev/shm'

/** Runs a seed. A process can run one, because there is one machine in it. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const temporary = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'floe-simulation-'))
  // Paths in the database are relative, so that they are the same in each run.
  process.chdir(temporary)
  machine.lastStep = options.to
  machine.trace.directory = temporary
  machine.trace.remembered = options.show
  try {
    const start = engines[options.engine]
    if (start === undefined) throw new TypeError(`--engine must be ${Object.keys(engines).join(' or ')}`)
    const database = await start()
    // From here on, so that the start does not matter.
    machine.random = new SeededRandom(options.seed)
    const simulation = new Simulation(options, database)
    await simulation.run(options.hours * hourMs)
    const { trace, faults, now, steps } = machine
    const { summary } = simulation
    return { hash: trace.hash, faults, lastSteps: trace.write(options.show), simulatedMs: now, steps, summary }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
