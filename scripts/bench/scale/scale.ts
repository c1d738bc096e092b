// How cost grows with organisations, repositories, receivers and time. Prints one table.
// Usage: npm run bench -- scale [ROW...] [--size N] [--rounds 1] [--database postgres://USER@HOST/DATABASE]
// The size is that of every named row; each has its own default. The database is a new SQLite file, or a new database
// on the server of this URL. Linux only. Measures the built program: run `npm run prepare` before.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createDatabase } from '../deliveries/loopback-deliveries.ts'
import { showRange } from '../measuring/table.ts'
import { measureCold } from './cold.ts'
import { measureOrganisations, measureRepositories } from './first-start.ts'
import { measureIsolation } from './isolation.ts'
import { measureOrganisationReceivers } from './organisation-receivers.ts'
import { measureBranchPolls, measureRemotePolls } from './remote-polls.ts'
import { type Figures, type Measurement, ScaledServices } from './scaled-services.ts'
import { measureReplicas } from './replicas.ts'
import { measureSoak } from './soak.ts'

const rows: Readonly<Record<string, { readonly size: number; readonly measure: Measurement }>> = {
  organisations: { size: 10_000, measure: measureOrganisations },
  repositories: { size: 100_000, measure: measureRepositories },
  'organisation-receivers': { size: 100_000, measure: measureOrganisationReceivers },
  replicas: { size: 1_000_000, measure: measureReplicas },
  isolation: { size: 4_000, measure: measureIsolation },
  'remote-polls': { size: 1_000, measure: measureRemotePolls },
  'branch-polls': { size: 1_000, measure: measureBranchPolls },
  cold: { size: 4_000, measure: measureCold },
  soak: { size: 30, measure: measureSoak },
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string' }, rounds: { type: 'string', default: '1' }, database: { type: 'string' } },
})

async function measureOnce(measure: Measurement, size: number): Promise<Figures> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-scale-'))
  const { url, remove } = await createDatabase(values.database)
  const services = new ScaledServices(directory, url)
  try {
    return await measure(services, size)
  } finally {
    await services.stop()
    await remove()
    await rm(directory, { recursive: true, force: true })
  }
}

const lines = ['| row | engine | figure |', '| --- | --- | --- |']
for (const name of positionals.length === 0 ? Object.keys(rows) : positionals) {
  const row = rows[name]
  if (row === undefined) throw new Error(`rows are ${Object.keys(rows).join(', ')}`)
  const size = Number(values.size ?? row.size)
  const rounds: Figures[] = []
  while (rounds.length < Number(values.rounds)) {
    console.log(`${name} ${size}, round ${rounds.length + 1}`)
    rounds.push(await measureOnce(row.measure, size))
  }
  for (const what of Object.keys(rounds[0] ?? {})) {
    const measured = rounds.map((figures) => figures[what] ?? Number.NaN)
    const engine = values.database === undefined ? 'SQLite' : 'PostgreSQL'
    lines.push(`| ${name} ${size}: ${what} | ${engine} | ${showRange(measured)} |`)
  }
}
console.log(lines.join('\n'))
