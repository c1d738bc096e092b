// Renders mutated documents. Each round makes a group with arrays from sound documents, changes them as JSON, stores
// them in a valid snapshot and asks every question about it. Only answers and known refusals are allowed, within limits
// of time and memory.
// Usage: npm run fuzz -- documents [--seed N] [--documents N]
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Compatibility } from '@floe/contract'
import { AnswerTooLargeError, DocumentsTooLargeError } from '@floe/storage/json'
import { decodeSnapshot, defaultLimits, type Snapshot } from '../../storage/repositories/icechunk/index.ts'
import { compareUtf8 } from '../../storage/repositories/objects/index.ts'
import { RequestProblem } from '../../server/problems/request-problem.ts'
import { answerDiff } from '../../server/reading/questions/answer-diff.ts'
import { answerQuestion } from '../../server/reading/questions/answer-question.ts'
import type { RefPageFacts } from '../../server/reading/page-facts.ts'
import type { Question, SnapshotKind } from '../../server/reading/questions/question.ts'
import { CannotDecodeError } from '../../server/xarray/variable.ts'
import { buildNodeId } from '../../test/storage/repositories/icechunk/build-log.ts'
import { buildId, buildNode, buildSnapshot } from '../../test/storage/repositories/icechunk/build-object.ts'
import { type Cost, explainExcess, mergeCosts, startMeasuring, writeCost } from './cost.ts'
import { makeGroup, type StoredDocument } from './document-grammar.ts'
import { makeSeededRandom } from './mutations.ts'

const page: RefPageFacts = {
  deployment: { name: 'tiles', org: 'acme', baseUrl: 'http://127.0.0.1/v1', hasSearch: true, isPublic: true },
  repo: 'fuzzed',
  ref: { kind: 'branch', name: 'main' },
  asOf: null,
  location: null,
  published: null,
  remarks: [],
  containers: [],
  v1: '/v1',
  assetsRoot: '/v1/assets',
  marks: null,
  navigation: null,
}

const questions: readonly Question<SnapshotKind>[] = [
  { kind: 'info', group: '' },
  { kind: 'keys', group: '' },
  { kind: 'dict', group: '' },
  { kind: 'dataset-page', group: '', page },
  { kind: 'ref-page', group: '', page },
  { kind: 'datasets', group: '' },
]

class FuzzRun {
  documents = 0
  groups = 0
  questions = 0
  /** Number of questions by outcome. */
  readonly outcomes = new Map<string, number>()
  readonly faults: string[] = []
  #last: Snapshot | undefined
  /** The most that one question took. */
  worst: Cost = { milliseconds: 0, bytes: 0 }

  /** Asks every question about a group. Returns its fault, and undefined when there is none. */
  async render(group: readonly StoredDocument[]): Promise<string | undefined> {
    this.documents += group.length
    this.groups += 1
    const nodes = group.map(({ path, kind, text }, index) =>
      buildNode(path, kind === 'array' ? 1 : 2, text, buildNodeId(index)),
    )
    const bytes = buildSnapshot({ nodes, compression: 0 })
    const snapshot = await decodeSnapshot({ repository: 'memory', key: 'snapshots/1', bytes }, buildId(1))
    for (const question of questions) {
      const fault = this.#ask(snapshot, question)
      if (fault !== undefined) return `${question.kind} ${fault}`
    }
    const before = this.#last ?? snapshot
    this.#last = snapshot
    return (await this.#compare(before, snapshot)) ?? (await this.#compare(snapshot, snapshot))
  }

  /** Asks whether those who read one group can read another. A group must be identical with itself. */
  async #compare(before: Snapshot, after: Snapshot): Promise<string | undefined> {
    this.questions += 1
    const measure = startMeasuring()
    const sources = { before, after, logs: { kind: 'not-an-ancestor' } } as const
    try {
      const body = await answerDiff(sources, { kind: 'compatibility', from: before.id, group: '' }, defaultLimits)
      const { verdict } = Compatibility.parse(JSON.parse(Buffer.from(body).toString('latin1')))
      if (before === after && verdict !== 'identical') return `compatibility with itself is ${verdict}`
      this.#count(`compatibility: ${verdict}`)
    } catch (error) {
      if (!isRefusal(error)) return `compatibility threw ${error instanceof Error ? error.stack : String(error)}`
      this.#count(`compatibility: ${describe(error)}`)
    }
    const cost = measure()
    this.worst = mergeCosts(this.worst, cost)
    return explainExcess(cost)
  }

  #ask(snapshot: Snapshot, question: Question<SnapshotKind>): string | undefined {
    this.questions += 1
    const measure = startMeasuring()
    const outcome = answerOrRefuse(snapshot, question)
    const cost = measure()
    if (outcome instanceof Error) return `threw ${outcome.stack}`
    this.#count(`${question.kind}: ${outcome}`)
    this.worst = mergeCosts(this.worst, cost)
    return explainExcess(cost)
  }

  #count(outcome: string): void {
    // Messages with names and texts of the case must not fill the memory of a long run.
    const name = this.outcomes.size < 2000 || this.outcomes.has(outcome) ? outcome : 'others'
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1)
  }
}

/**
 * Renders at least this number of mutated documents; ends after 20 faults. `onFault` gets the documents of each fault.
 */
export async function fuzzDocuments(
  { seed, documents, signal }: { readonly seed: number; readonly documents: number; readonly signal?: AbortSignal },
  onFault: (group: number, fault: string, documents: readonly StoredDocument[]) => void,
): Promise<FuzzRun> {
  const random = makeSeededRandom(seed)
  const run = new FuzzRun()
  while (run.documents < documents && run.faults.length < 20) {
    // Lets finalizers run, as between the requests of a server.
    if (run.groups % 100 === 0) await setImmediate()
    if (signal?.aborted) break
    const number = run.groups
    const group = makeGroup(random)
    const fault = await run.render(group)
    if (fault === undefined) continue
    run.faults.push(`group ${number}: ${fault}`)
    onFault(number, fault, group)
  }
  return run
}

/** Returns the outcome without the names and numbers of the case, or an error that no question may cause. */
function answerOrRefuse(snapshot: Snapshot, question: Question<SnapshotKind>): string | Error {
  try {
    const body = answerQuestion(snapshot, question)
    if (!question.kind.endsWith('-page')) JSON.parse(Buffer.from(body).toString('latin1'))
    return 'answer'
  } catch (error) {
    if (isRefusal(error)) return describe(error)
    return error instanceof Error ? error : new Error(String(error))
  }
}

function isRefusal(error: unknown): error is Error {
  return [CannotDecodeError, DocumentsTooLargeError, AnswerTooLargeError, RequestProblem].some(
    (Refusal) => error instanceof Refusal,
  )
}

/** Returns the class and the message of an error, without the names and numbers of the case. */
function describe(error: Error): string {
  const text = error instanceof CannotDecodeError ? error.rule : error.message
  const [rule = ''] = text.slice(0, 200).split(/(?<=has (?:no|a) data type) /, 1)
  return `${error.name} ${rule.replaceAll(/"[^"]*"?|[^\x20-\x7e]+|\d+/g, '...')}`.slice(0, 90)
}

/** Runs from the command line, and prints what was found. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { seed: { type: 'string', default: '1' }, documents: { type: 'string', default: '500000' } },
  })
  // A long run that is stopped reports its results.
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const start = performance.now()
  const measure = startMeasuring()
  const run = await fuzzDocuments(
    { seed: Number(values.seed), documents: Number(values.documents), signal: stop.signal },
    (number, fault, group) => {
      const directory = join('.floe', 'fuzz-documents', `${values.seed}-${number}`)
      mkdirSync(directory, { recursive: true })
      for (const [index, { path, text }] of group.entries())
        writeFileSync(join(directory, `${index}.json`), `${path}\n${text}`)
      writeFileSync(join(directory, 'fault.txt'), `${fault}\n`)
      console.log(`group ${number}: ${fault}`)
    },
  )
  const seconds = (performance.now() - start) / 1000
  const processorSeconds = measure().milliseconds / 1000
  const { documents, groups, questions, outcomes, faults, worst } = run
  console.log(`${documents} documents in ${groups} groups, ${questions} questions`)
  console.log(
    `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time: ` +
      `${Math.round(documents / processorSeconds)} documents a second`,
  )
  for (const [outcome, number] of [...outcomes].sort(([a], [b]) => compareUtf8(a, b)))
    console.log(`${String(number).padStart(10)}  ${outcome}`)
  console.log(`most that one question took: ${writeCost(worst)}`)
  console.log(faults.length === 0 ? 'no faults' : `${faults.length} faults, saved in .floe/fuzz-documents`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
