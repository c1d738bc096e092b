// Measures what the types of datasets cost the compiler, beside a client without them: one dataset of 280 variables,
// and 2,456 datasets with 111 distinct contracts, with TypeScript 5.9 and 7.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { DatasetContract } from '@floe/contract'
import { writeModule } from '../../server/main/commands/types/write-module.ts'
import { installFromNpm, run } from '../../test/generators/install.ts'

type Contract = DatasetContract['datasets'][string]

const root = fileURLToPath(new URL('../../', import.meta.url))
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } })

/** A dataset with this number of variables; datasets with another seed have other contracts. */
function makeContract(variables: number, seed: number): Contract {
  const names = Array.from({ length: variables }, (_, index) => `variable_${seed}_${index}`)
  return {
    dimensions: { time: {}, latitude: {}, longitude: {} },
    variables: Object.fromEntries(
      names.map((name, index) => [
        name,
        {
          type: 'float32',
          dimensions: ['time', 'latitude', 'longitude'],
          role: 'data' as const,
          units: `kg m-${(index % 9) + 1}`,
          standard_name: `quantity_${index}`,
        },
      ]),
    ),
  }
}

function makeDatasets(datasets: number, contracts: number, variables: number) {
  const groups = Array.from({ length: datasets }, (_, index) => {
    return [`model_${index}/daily`, makeContract(variables, index % contracts)] as const
  })
  return new Map([['archive', new Map([['main', new Map(groups)]])]])
}

const start = `import { createClient } from '@floe/client'
const options = { baseUrl: '', deployment: 'd', org: 'o' }\n`
const without = `${start}export const floe = createClient(options)
export const read = () => floe.info({ repo: 'archive', ref: 'main', group: 'model_0/daily' })\n`
const typed = `${start}import type { Datasets } from './datasets.js'
export const floe = createClient<Datasets>(options)
export const read = () => floe.info({ repo: 'archive', ref: 'main', group: 'model_0/daily' })
export const units = async () => (await read()).variables.variable_0_0.attributes.units\n`

const archive = makeDatasets(2_456, 111, 20)
const single = makeDatasets(1, 1, 280)
const programs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no types': { 'program.ts': without },
  '280 variables, with constants': { 'program.ts': typed, 'datasets.ts': writeModule(single, true).text },
  '280 variables, types only': { 'program.ts': typed, 'datasets.ts': writeModule(single, false).text },
  '2,456 datasets, with constants': { 'program.ts': typed, 'datasets.ts': writeModule(archive, true).text },
  '2,456 datasets, types only': { 'program.ts': typed, 'datasets.ts': writeModule(archive, false).text },
}

const compilerOptions = { target: 'ES2024', module: 'NodeNext', lib: ['ES2024', 'DOM'], types: [], strict: true }

/** Compiles a program. Returns the processor time, which other programs hardly change, and the stated memory. */
async function compile(compiler: string, directory: string): Promise<readonly [seconds: number, megabytes: number]> {
  const args = [compiler, '-p', directory, '--noEmit', '--extendedDiagnostics']
  const timed = ['-c', 'TIMEFORMAT="%U %S"; time "$@"', 'bash', process.execPath, ...args]
  const { stdout, stderr } = await run('bash', timed, directory)
  const seconds = stderr.trim().split(' ').map(Number)
  const [, kilobytes] = /^Memory used:\s+(\d+)K/m.exec(stdout) ?? []
  return [seconds.reduce((sum, each) => sum + each, 0), Number(kilobytes) / 1024]
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? NaN

const { root: tools, skip } = await installFromNpm('typescript-5.9', ['typescript@5.9.3'])
if (skip !== false) throw new Error(skip)
const compilers = {
  'TypeScript 5.9': join(tools, 'node_modules/.bin/tsc'),
  'TypeScript 7': join(root, 'node_modules/.bin/tsc'),
}
await run(process.execPath, [join(root, 'node_modules/.bin/rolldown'), '-c'], join(root, 'client'))

const directory = await mkdtemp(join(tmpdir(), 'floe-types-'))
try {
  for (const [name, files] of Object.entries(programs)) {
    const project = join(directory, name.replaceAll(/\W+/g, '-'))
    await mkdir(join(project, 'node_modules/@floe'), { recursive: true })
    await symlink(join(root, 'client'), join(project, 'node_modules/@floe/client'))
    const config = { compilerOptions, files: ['program.ts'] }
    const whole = { ...files, 'package.json': '{"type":"module"}', 'tsconfig.json': JSON.stringify(config) }
    for (const [file, text] of Object.entries(whole)) await writeFile(join(project, file), text)
    const shown = [`${name} (${((files['datasets.ts'] ?? '').length / 1_000).toFixed(0)} kB)`]
    for (const [compilerName, compiler] of Object.entries(compilers)) {
      const rounds: (readonly [number, number])[] = []
      for (let round = 0; round < Number(values.rounds); round++) rounds.push(await compile(compiler, project))
      const [seconds, megabytes] = [median(rounds.map(([s]) => s)), median(rounds.map(([, mb]) => mb))]
      shown.push(`${compilerName} ${seconds.toFixed(2)} s ${megabytes.toFixed(0)} MB`)
    }
    console.log(shown.join(', '))
  }
} finally {
  await rm(directory, { recursive: true, force: true })
}
