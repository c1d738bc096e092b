// `npm run bench -- written-chunks REPOSITORIES`: the processor time of counting written chunks in a new process that
// has answered about another repository. REPOSITORIES is a folder with the repositories of `npm run bench`.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRepository, type Snapshot } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import { answerQuestion } from '../../server/reading/questions/answer-question.ts'
import { countChunks } from '../../server/reading/completeness/count-chunks.ts'

const rounds = 9
const groupOfLarge = 'region0010/station0050'

/** Milliseconds of processor time, with that of the compiler and the garbage collector. */
type Times = { readonly reading: number; readonly counting: number }

/** Each in a process of its own. */
const measured: Readonly<Record<string, (snapshot: Snapshot) => void>> = {
  'written chunks of 12,000 nodes, as JSON': (snapshot) =>
    void answerQuestion(snapshot, { kind: 'completeness', group: '' }),
  'written chunks of 5 arrays among 12,000 nodes, as their page counts them': (snapshot) => {
    for (const index of snapshot.nodes.walkChildren(groupOfLarge)) countChunks(snapshot, index)
  },
}

async function read(repositories: string, name: string): Promise<Snapshot> {
  const repository = openRepository(openLocalStore(join(repositories, name)))
  const signal = AbortSignal.timeout(60_000)
  const { main } = await repository.readState(signal)
  if (main === null) throw new Error(`${name} has no main`)
  return repository.readSnapshot(main, signal)
}

async function measure(repositories: string, count: (snapshot: Snapshot) => void): Promise<Times> {
  const other = await read(repositories, 'small')
  answerQuestion(other, { kind: 'completeness', group: '' })
  const start = process.cpuUsage()
  const snapshot = await read(repositories, 'large')
  const reading = sum(process.cpuUsage(start))
  count(snapshot)
  return { reading, counting: sum(process.cpuUsage(start)) - reading }
}

function sum({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

const [repositories = '', what] = process.argv.slice(2)
if (what === undefined) {
  for (const name of Object.keys(measured)) {
    const times = Array.from({ length: rounds }, () => {
      const args = [...process.execArgv, fileURLToPath(import.meta.url), repositories, name]
      return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Times // `measure` returned it
    })
    const median = (of: keyof Times) =>
      times
        .map((time) => time[of])
        .toSorted((left, right) => left - right)
        .at(Math.floor(rounds / 2))
        ?.toFixed(1)
    console.log(`${name}: ${median('reading')} ms to read the snapshot, then ${median('counting')} ms`)
  }
} else {
  const count = measured[what]
  if (count === undefined) throw new Error(`there is nothing to measure that is called ${what}`)
  console.log(JSON.stringify(await measure(repositories, count)))
}
