// Renders mutated documents. Each read makes a group with arrays from sound documents, changes some of them as JSON, stores them in a
// valid snapshot and asks every question about it. Only answers and known refusals are allowed, within limits of time and memory.
// Usage: npm run fuzz -- documents [--seed N] [--reads N]
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { AnswerTooLargeError, DocumentsTooLargeError } from '@floe/storage/json'
import { decodeSnapshot } from '../../storage/icechunk/index.ts'
import { compareUtf8 } from '../../storage/objects/index.ts'
import { RequestProblem } from '../../server/problems/request-problem.ts'
import { answerQuestion } from '../../server/snapshots/answer-question.ts'
import type { PageAddress } from '../../server/snapshots/page-address.ts'
import type { SnapshotQuestion } from '../../server/snapshots/question.ts'
import { CannotDecodeError } from '../../server/xarray/variable.ts'
import { buildId, buildNode, buildSnapshot } from '../../test/storage/icechunk/build-object.ts'
import { makeGroup, type StoredDocument } from './document-grammar.ts'
import { makeSeededRandom } from './mutations.ts'

const maxReadMs = 1_000
const maxHeapBytes = 256 * 1024 * 1024

const page: PageAddress = {
  deployment: { name: 'tiles', org: 'acme', baseUrl: 'http://127.0.0.1/v1' },
  repo: 'fuzzed',
  ref: { kind: 'branch', name: 'main' },
  location: null,
  v1: '/v1',
  assetsRoot: '/v1/assets',
}

const questions: readonly SnapshotQuestion[] = [
  { kind: 'view', view: 'info', group: '' },
  { kind: 'view', view: 'keys', group: '' },
  { kind: 'view', view: 'dict', group: '' },
  { kind: 'dataset-page', group: '', page },
  { kind: 'ref-page', below: '', page },
  { kind: 'datasets', below: '' },
]

/** What a run found. */
export type FuzzResult = {
  /** How often each outcome was seen. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly faults: readonly string[]
  /** The most that one question took, in milliseconds of processor time and bytes of heap. */
  readonly worst: { readonly milliseconds: number; readonly heapBytes: number }
}

/** Renders `reads` groups of mutated documents; ends after 20 faults. `onFault` gets the documents of each. */
export async function fuzzDocuments(
  { seed, reads }: { readonly seed: number; readonly reads: number },
  onFault: (read: number, fault: string, documents: readonly StoredDocument[]) => void,
): Promise<FuzzResult> {
  const random = makeSeededRandom(seed)
  const outcomes = new Map<string, number>()
  const faults: string[] = []
  const worst = { milliseconds: 0, heapBytes: 0 }
  for (let read = 0; read < reads && faults.length < 20; read++) {
    // Lets finalizers run, as between the requests of a server.
    if (read % 100 === 0) await setImmediate()
    const documents = makeGroup(random)
    const fault = await renderGroup(documents, outcomes, worst)
    if (fault === undefined) continue
    faults.push(`read ${read}: ${fault}`)
    onFault(read, fault, documents)
  }
  return { outcomes, faults, worst }
}

/** The fault of a group; undefined when there is none. */
async function renderGroup(
  documents: readonly StoredDocument[],
  outcomes: Map<string, number>,
  worst: { milliseconds: number; heapBytes: number },
): Promise<string | undefined> {
  const nodes = documents.map(({ path, kind, text }) => buildNode(path, kind === 'array' ? 1 : 2, text))
  const bytes = buildSnapshot({ nodes, compression: 0 })
  const snapshot = await decodeSnapshot({ repository: 'memory', key: 'snapshots/1', bytes }, buildId(1))
  for (const question of questions) {
    const heapBefore = process.memoryUsage().heapUsed
    const timeBefore = process.cpuUsage()
    try {
      const body = answerQuestion(snapshot, question)
      if (question.kind === 'view' || question.kind === 'datasets') JSON.parse(Buffer.from(body).toString('latin1'))
      count(outcomes, `${nameQuestion(question)}: answer`)
    } catch (error) {
      if (!isRefusal(error)) return error instanceof Error ? (error.stack ?? error.message) : String(error)
      count(outcomes, `${nameQuestion(question)}: ${describe(error)}`)
    }
    // Processor time, because a busy machine must not cause findings.
    const { user, system } = process.cpuUsage(timeBefore)
    const milliseconds = Math.round((user + system) / 1000)
    const heapBytes = process.memoryUsage().heapUsed - heapBefore
    worst.milliseconds = Math.max(worst.milliseconds, milliseconds)
    worst.heapBytes = Math.max(worst.heapBytes, heapBytes)
    if (milliseconds > maxReadMs) return `${nameQuestion(question)} took ${milliseconds} ms`
    if (heapBytes > maxHeapBytes) return `${nameQuestion(question)} took ${Math.round(heapBytes / 2 ** 20)} MiB of heap`
  }
  return undefined
}

function isRefusal(error: unknown): error is Error {
  return [CannotDecodeError, DocumentsTooLargeError, AnswerTooLargeError, RequestProblem].some(
    (known) => error instanceof known,
  )
}

function nameQuestion(question: SnapshotQuestion): string {
  return question.kind === 'view' ? question.view : question.kind
}

/** The class of an error and what was wrong, without the names and numbers of the case. */
function describe(error: Error): string {
  const text = error instanceof CannotDecodeError ? error.rule : error.message
  return `${error.name} ${text.slice(0, 200).replaceAll(/"[^"]*"?|[^\x20-\x7e]+|\d+/g, '...')}`.slice(0, 90)
}

function count(outcomes: Map<string, number>, outcome: string): void {
  // What foreign names and texts make of a message must not fill the memory of a long run.
  const kept = outcomes.size < 2000 || outcomes.has(outcome) ? outcome : 'others'
  outcomes.set(kept, (outcomes.get(kept) ?? 0) + 1)
}

/** Runs from the command line, and prints what was found. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { seed: { type: 'string', default: '1' }, reads: { type: 'string', default: '100000' } },
  })
  const start = performance.now()
  const { outcomes, faults, worst } = await fuzzDocuments(
    { seed: Number(values.seed), reads: Number(values.reads) },
    (read, fault, documents) => {
      const directory = join('.floe', 'fuzz-documents', `${values.seed}-${read}`)
      mkdirSync(directory, { recursive: true })
      for (const [index, { path, text }] of documents.entries())
        writeFileSync(join(directory, `${index}.json`), `${path}\n${text}`)
      writeFileSync(join(directory, 'fault.txt'), `${fault}\n`)
      console.log(`read ${read}: ${fault}`)
    },
  )
  const seconds = (performance.now() - start) / 1000
  const perSecond = Math.round(Number(values.reads) / seconds)
  console.log(`${values.reads} groups in ${seconds.toFixed(1)} s, ${perSecond} per second, six questions each`)
  for (const [outcome, number] of [...outcomes].sort(([a], [b]) => compareUtf8(a, b)))
    console.log(`${String(number).padStart(10)}  ${outcome}`)
  console.log(`worst question: ${worst.milliseconds} ms, ${Math.round(worst.heapBytes / 2 ** 20)} MiB of heap`)
  console.log(faults.length === 0 ? 'no faults' : `${faults.length} faults, saved in .floe/fuzz-documents`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
