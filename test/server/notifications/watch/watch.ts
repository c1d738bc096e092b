// Watchers of the organisation `acme`, whose repositories are in memory and whose time passes by hand.
import { once, EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultFilter } from '@floe/contract/lists'
import {
  applyDeclaredReceivers,
  type Database,
  ensureRepositories,
  findPartition,
  mainAlone,
  openDatabase,
  partitionCount,
} from '@floe/storage/database'
import { defaultLimits } from '@floe/storage/icechunk'
import type { ObjectStore } from '@floe/storage/objects'
import type { Test } from 'tap'
import { Catalog } from '../../../../server/catalog/catalog.ts'
import type { CatalogEntry } from '../../../../server/catalog/catalog-entry.ts'
import type { CatalogSource } from '../../../../server/catalog/sources/open-sources.ts'
import { HeadWatcher } from '../../../../server/notifications/watch/head-watcher.ts'
import type { LastCheck } from '../../../../server/notifications/watch/watched-repository.ts'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import type { StateLog } from '../../../../server/observation/state-log.ts'
import { recordStates } from '../../observation/record-states.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { secrets } from '../../../storage/sample-secrets.ts'
import { readHistory } from '../fixture-histories.ts'
import { ManualTiming } from '../manual-timing.ts'
import { rememberRepository } from '../../../storage/records/database/remember-repository.ts'

export const intervalMs = 10_000
export const older = await readHistory('reset')
export const newer = await readHistory('expired')
export const olderBytes = await readFile(join(older.directory, 'repo'))
export const newerBytes = await readFile(join(newer.directory, 'repo'))

type Watching = {
  readonly db: Database
  readonly watcher: HeadWatcher
  readonly catalog: Catalog
  readonly timing: ManualTiming
  readonly states: StateLog
  /** Lines of the log about scans and checks. */
  readonly lines: readonly object[]
  /** Failures of the database. */
  readonly errors: unknown[]
  /** `name previous -> new reason` of each event that was recorded, in order. */
  readonly listEvents: () => Promise<string[]>
  /** Resolves with the next head move. */
  readonly waitForMove: () => Promise<unknown>
  /** The last check of `weather`, by this watcher unless the test names another. */
  readonly findLastCheck: (of?: HeadWatcher) => Promise<LastCheck | undefined>
}

type Readers = ConstructorParameters<typeof HeadWatcher>[0]['readers']

const noReaders: Readers = { ask: () => Promise.reject(new Error('nobody reads')) }

type WatcherParts = Pick<Watching, 'db' | 'catalog' | 'timing' | 'states' | 'errors'>

/** A watcher of `acme`, stopped with the test. */
export async function watch(
  t: Test,
  stores: Record<string, ObjectStore>,
  receivers: readonly string[] = [],
  scans: readonly ObjectStore[] = [],
): Promise<Watching> {
  const timing = new ManualTiming()
  const db = await openDatabase('sqlite::memory:')
  for (const name of receivers) await addReceiver(db, name)
  const sources = [
    ...scans.map((store): CatalogSource => ({ kind: 'scan', store })),
    ...Object.entries(stores).map(([name, store]): CatalogSource => ({ kind: 'repository', name, store })),
  ]
  const ensureIds = (org: string, names: readonly string[]) =>
    ensureRepositories(db, org, names, new Date(timing.now()))
  const moves = new EventEmitter()
  const errors: unknown[] = []
  const { states, lines } = recordStates(timing.elapsed)
  const catalog = new Catalog('acme', sources, { ensureIds, timing, limits: defaultLimits, states })
  const watcher = startWatcher({ db, catalog, timing, states, errors }, () => moves.emit('move'))
  t.teardown(async () => {
    catalog.close()
    await watcher.stop()
    await db.destroy()
  })
  const listEvents = async () => {
    const rows = await db.selectFrom('events').select('payload').orderBy('sequence').execute()
    return rows.map(({ payload }) => {
      const { details } = JSON.parse(payload)
      const { repo_name, previous_snapshot_id, snapshot_id, commits_unavailable_reason } = details
      return `${repo_name} ${previous_snapshot_id} -> ${snapshot_id} ${commits_unavailable_reason}`
    })
  }
  const findLastCheck = async (of = watcher) =>
    of.repositories.find(await rememberRepository(db, 'acme', 'weather', new Date()))?.lastCheck
  const waitForMove = () => once(moves, 'move')
  return { db, watcher, catalog, timing, states, lines, errors, listEvents, waitForMove, findLastCheck }
}

export function startWatcher(
  parts: WatcherParts,
  onHeadMove: () => void = () => {},
  readers: Readers = noReaders,
): HeadWatcher {
  const watcher = makeWatcher(parts, onHeadMove, undefined, readers)
  watcher.start()
  return watcher
}

/** The partitions of a process, and whether it has their lease. The `partitions` stay when the lease has run out. */
export type Share = { partitions: ReadonlySet<number>; isLeased: boolean }

export const allPartitions: ReadonlySet<number> = new Set(
  Array.from({ length: partitionCount }, (_, partition) => partition),
)
export const noPartitions: ReadonlySet<number> = new Set()

export function makeWatcher(
  { db, catalog, timing, states, errors }: WatcherParts,
  onHeadMove: () => void,
  share: Share = { partitions: allPartitions, isLeased: true },
  readers: Readers = noReaders,
): HeadWatcher {
  return new HeadWatcher({
    db,
    catalogs: new Map([['acme', catalog]]),
    pollIntervalMs: intervalMs,
    listPartitions: () => share.partitions,
    isPolling: (repoId) => share.isLeased && share.partitions.has(findPartition(repoId)),
    alwaysWatched: mainAlone,
    timing,
    metrics: createMetrics(),
    states,
    onEvent: onHeadMove,
    readers,
    onError: (error) => errors.push(error),
  })
}

export async function addReceiver(db: Database, name: string): Promise<void> {
  const repoId = await rememberRepository(db, 'acme', name, new Date())
  const hook = {
    kind: 'webhook',
    alias: 'hook',
    url: 'https://example.org/',
    service: null,
    secretToken: null,
    headers: {},
    signingSecret: null,
  } as const
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, [{ ...hook, filter: defaultFilter }], {
    secrets,
    now: new Date(),
  })
}

export async function findWeather(catalog: Catalog): Promise<CatalogEntry> {
  const entry = await catalog.findEntry('weather', () => AbortSignal.timeout(60_000))
  if (entry === undefined) throw new Error('weather is not there')
  return entry
}

export const makeStore = (bytes: Uint8Array = olderBytes) => new MemoryStore([['repo', bytes]])
export const describeFirst = (name: string) => `${name} null -> ${older.head} first_observation`
export const describeRewritten = (name: string) => `${name} ${older.head} -> ${newer.head} history_rewritten`

/** A store that does not answer before the test has ended. */
export function makeHangingStore(t: Test): ObjectStore {
  const { promise, resolve } = Promise.withResolvers<{ state: 'absent' }>()
  t.teardown(() => resolve({ state: 'absent' }))
  return Object.assign(makeStore(), { read: () => promise })
}

/** The same database, and the kinds of the queries that are sent through it. */
export function countQueries(db: Database): { readonly queries: string[]; readonly counting: Database } {
  const queries: string[] = []
  const counting = db.withPlugin({
    transformQuery: ({ node }) => {
      queries.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { queries, counting }
}
