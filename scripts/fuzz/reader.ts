// Reads damaged repositories. Each read takes a repository below the directories (default: the test fixtures), damages
// one of its objects and reads everything. Only answers and the reader's own errors are allowed, within limits of time
// and memory.
// Usage: npm run fuzz -- [--seed N] [--reads N] [DIRECTORY...], and `npm run fuzz -- documents` for documents.ts
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  combineLogs,
  defaultLimits,
  readAuthor,
  decodeManifest,
  DamagedObjectError,
  IcechunkError,
  LimitExceededError,
  type ManifestId,
  openRepository,
  parseSnapshotId,
  type Repository,
  type SnapshotId,
} from '../../storage/repositories/icechunk/index.ts'
import { decodeSnapshotId } from '../../storage/repositories/icechunk/format/object-id.ts'
import type { Listing, ObjectStore, ReadOptions, ReadResult } from '../../storage/repositories/objects/index.ts'
import { compareUtf8, ObjectStoreError } from '../../storage/repositories/objects/index.ts'
import { writeJson } from '../../storage/repositories/json/index.ts'
import { explainExcess, startMeasuring } from './cost.ts'
import { main as fuzzDocuments } from './documents.ts'
import { damageObject, makeBombs, pick, makeSeededRandom, toVictim, wrapPlain } from './mutations.ts'
import type { Random, Victim } from './mutations.ts'

const fixtures = ['repositories', 'changes', 'manifests', 'chunk-sources'].map((name) =>
  fileURLToPath(new URL(`../../test/fixtures/${name}`, import.meta.url)),
)
const { signal } = new AbortController()

/** A repository in memory. */
type Subject = {
  readonly name: string
  readonly objects: ReadonlyMap<string, Uint8Array>
  readonly prefixes: readonly string[]
  readonly victims: readonly (readonly [key: string, victim: Victim])[]
  readonly snapshotIds: readonly SnapshotId[]
  readonly ids: readonly Uint8Array[]
}

function listDirectories(parent: string): string[] {
  const entries = readdirSync(parent, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

function loadSubject(root: string): Subject {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const keys = files.map((file) => relative(root, join(file.parentPath, file.name)))
  const isRead = (key: string) => /^(?:repo$|refs\/|snapshots\/|transactions\/|manifests\/)/.test(key)
  const objects = new Map(keys.filter(isRead).map((key) => [key, new Uint8Array(readFileSync(join(root, key)))]))
  const prefixes = [...objects.keys()].filter((key) => key.startsWith('refs/')).map((key) => key.split('/')[1] ?? '')
  const snapshotIds = [...objects.keys()].flatMap((key) => parseSnapshotId(key.replace('snapshots/', '')) ?? [])
  const manifestIds = [...objects.keys()].flatMap((key) => parseSnapshotId(key.replace('manifests/', '')) ?? [])
  const victims = [...objects].map(([key, bytes]) => [key, toVictim(bytes)] as const)
  return {
    name: root,
    // Uncompressed, because each round reads the undamaged objects again.
    objects: new Map(
      victims.map(([key, { stored, payload }]) => [key, payload === undefined ? stored : wrapPlain(stored, payload)]),
    ),
    prefixes: [...new Set(prefixes)].sort(),
    victims,
    snapshotIds,
    ids: [...snapshotIds, ...manifestIds].map(decodeSnapshotId),
  }
}

/** A repository in which one object is replaced. */
class DamagedStore implements ObjectStore {
  readonly location = 'memory'
  readonly encodesKeys = true
  readonly #subject: Subject
  readonly #key: string
  readonly #bytes: Uint8Array

  constructor(subject: Subject, key: string, bytes: Uint8Array) {
    this.#subject = subject
    this.#key = key
    this.#bytes = bytes
  }

  async read(key: string, { ifNoneMatch }: ReadOptions): Promise<ReadResult> {
    const bytes = key === this.#key ? this.#bytes : this.#subject.objects.get(key)
    if (bytes === undefined) return { state: 'absent' }
    return ifNoneMatch === undefined ? { state: 'found', bytes, etag: '"1"' } : { state: 'unchanged' }
  }

  async list(): Promise<Listing> {
    return { objects: [], prefixes: this.#subject.prefixes }
  }

  below(): ObjectStore {
    return this
  }
}

/** The key of the object that is damaged, and the snapshot that is read. */
type Target = { readonly key: string; readonly id: SnapshotId }

/** Reads everything and counts answers and refusals. Of manifests, reads only the one that is damaged. */
async function readEverything(
  repository: Repository,
  { key, id }: Target,
  outcomes: Map<string, number>,
): Promise<void> {
  const questions = [
    async () => repository.readRefs(signal),
    async () => {
      const { snapshotId } = await repository.resolve('main', signal)
      const { commits } = await repository.readHistory(snapshotId, { limit: 20, signal })
      return commits.map(({ metadata }) => readAuthor(metadata) + writeJson(metadata))
    },
    async () => {
      const snapshot = await repository.readSnapshot(id, signal)
      return writeJson(snapshot.metadata) + snapshot.nodes.listChildren('').length
    },
    async () => {
      const { snapshotId } = await repository.resolve('main', signal)
      const logs = await repository.readLogs(id, snapshotId, signal)
      return logs.kind === 'logs' && (await combineLogs(logs.files, defaultLimits)).moves.length
    },
    async () => {
      const { nodes, chunkReferences } = await repository.readSnapshot(id, signal)
      const indexes = Array.from({ length: nodes.length }, (_, index) => index)
      return indexes.map((index) => chunkReferences.listManifests(index))
    },
    async () => {
      if (!key.startsWith('manifests/')) return undefined
      const manifest = key.slice('manifests/'.length) as ManifestId // as it was written
      const file = await repository.readManifestFile(manifest, signal)
      return decodeManifest(file, manifest, defaultLimits, { files: { containers: [], limit: 10 } })
    },
  ]
  for (const ask of questions) {
    try {
      await ask()
      count(outcomes, 'answer')
    } catch (error) {
      if (!(error instanceof IcechunkError || error instanceof ObjectStoreError)) throw error
      count(outcomes, describe(error))
    }
  }
}

/** Returns the class and the rule of an error, without the names and numbers of the case. */
function describe(error: Error): string {
  if (error instanceof LimitExceededError) return `${error.name} ${error.limit}`
  const rule = error instanceof DamagedObjectError ? error.rule : ''
  return `${error.name} ${rule.replaceAll(/"([^"\\]|\\.)*"|\b[0-9A-Z]{20}\b|\d+/g, '...')}`
}

function count(outcomes: Map<string, number>, outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
}

/** Reads everything and returns the fault; undefined when there is none. */
async function findFault(
  store: ObjectStore,
  target: Target,
  outcomes: Map<string, number>,
): Promise<string | undefined> {
  const measure = startMeasuring()
  try {
    await readEverything(openRepository(store), target, outcomes)
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  return explainExcess(measure())
}

function chooseDamage(random: Random, subject: Subject, read: number) {
  const [key, victim] = pick(random, subject.victims)
  const id = parseSnapshotId(key.replace('snapshots/', '')) ?? pick(random, subject.snapshotIds)
  // Bombs are slow to read, and there are only a few kinds.
  if (victim.payload !== undefined && read % 50_000 < 10) {
    return { key, id, bytes: pick(random, makeBombs(victim.stored, victim.payload)), how: 'bomb' }
  }
  return { key, id, ...damageObject(random, victim, subject.ids) }
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { seed: { type: 'string', default: '1' }, reads: { type: 'string', default: '1000000' } },
    allowPositionals: true,
  })
  const parents = positionals.length > 0 ? positionals : fixtures
  const subjects = parents.flatMap((parent) => listDirectories(parent).map((name) => loadSubject(join(parent, name))))
  const usable = subjects.filter(({ victims, snapshotIds }) => victims.length > 0 && snapshotIds.length > 0)
  const random = makeSeededRandom(Number(values.seed))
  const outcomes = new Map<string, number>()
  const start = performance.now()
  let faults = 0
  for (let read = 0; read < Number(values.reads); read++) {
    const subject = pick(random, usable)
    const { key, id, bytes, how } = chooseDamage(random, subject, read)
    // Lets finalizers and timers run, as between the requests of a server.
    if (read % 100 === 0) await setImmediate()
    const fault = await findFault(new DamagedStore(subject, key, bytes), { key, id }, outcomes)
    if (fault === undefined) continue
    faults++
    const directory = join('.floe', 'fuzz-reader', `${values.seed}-${read}`)
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'object'), bytes)
    writeFileSync(join(directory, 'fault.txt'), `${subject.name}\n${key}\n${how}\n${fault}\n`)
    console.log(`read ${read}: ${how} in ${key} of ${subject.name}: ${fault}`)
    if (faults === 20) break
  }
  const seconds = (performance.now() - start) / 1000
  console.log(
    `${values.reads} reads in ${seconds.toFixed(1)} s, ${Math.round(Number(values.reads) / seconds)} per second`,
  )
  for (const [outcome, number] of [...outcomes].sort(([a], [b]) => compareUtf8(a, b)))
    console.log(`${String(number).padStart(10)}  ${outcome}`)
  const { heapUsed, rss } = process.memoryUsage()
  console.log(`heap at the end ${Math.round(heapUsed / 2 ** 20)} MB, process ${Math.round(rss / 2 ** 20)} MB`)
  console.log(faults === 0 ? 'no faults' : `${faults} faults, saved in .floe/fuzz-reader`)
  process.exitCode = faults === 0 ? 0 : 1
}

const [kind, ...rest] = process.argv.slice(2)
if (kind === 'documents') await fuzzDocuments(rest)
else await main(process.argv.slice(2))
