// Pools of reader threads, and repositories to ask them about.
import { join } from 'node:path'
import { defaultLimits, openRepository, type Repository, type SnapshotId } from '@floe/storage/icechunk'
import { type ObjectStore, openLocalStore } from '@floe/storage/objects'
import type { Test } from 'tap'
import { ReaderPool, type ReaderPoolOptions } from '../../../server/readers/reader-pool.ts'
import type { SnapshotQuestion } from '../../../server/snapshots/question.ts'
import { MemoryStore } from '../../storage/memory-store.ts'
import { fixtures } from '../start-server.ts'

/** A signal that never aborts. */
export const { signal } = new AbortController()

export const anyId = '1CECHNKREP0F1RSTCMT0' as SnapshotId // never looked up
export const info: SnapshotQuestion = { kind: 'view', view: 'info', group: 'forecast' }

const settings = { cacheBytes: 10_000_000, snapshotDirectory: null, limits: defaultLimits }

/** What a test may want otherwise. */
type PoolParts = Partial<Omit<ReaderPoolOptions, 'settings'>> &
  Partial<Pick<ReaderPoolOptions['settings'], 'cacheBytes' | 'snapshotDirectory'>>

/** Opens a pool. No time limit ever ends, unless the test brings its own timers. */
export function openPool(t: Test, threads: number, parts: PoolParts = {}): ReaderPool {
  const { cacheBytes = settings.cacheBytes, snapshotDirectory = settings.snapshotDirectory, ...others } = parts
  const pool = new ReaderPool(threads, {
    settings: { ...settings, cacheBytes, snapshotDirectory },
    after: () => () => undefined,
    elapsed: () => performance.now(),
    ...others,
  })
  t.teardown(() => pool.close())
  return pool
}

/** Opens a pool of one thread. What it would save some seconds after an answer is in `saves`, until the test calls it or `save`. */
export function openSavingPool(t: Test, snapshotDirectory: string, parts: PoolParts = {}) {
  const saves: (() => void)[] = []
  const after = (ms: number, callback: () => void) => {
    if (ms === 5_000) saves.push(callback)
    return () => undefined
  }
  const pool = openPool(t, 1, { elapsed: () => 0, snapshotDirectory, after, ...parts })
  return { pool, saves, save: () => saves.shift()?.() }
}

/** Timers that the test ends. */
export function collectTimers() {
  const timers: (() => void)[] = []
  const after = (_ms: number, callback: () => void) => {
    timers.push(callback)
    return () => undefined
  }
  return { timers, after }
}

/** A repository that programs of these tests know by its identity. They do their worst with `troublesome`. */
export function openIdentified(identity: string): Repository {
  return openRepository(new MemoryStore([]), defaultLimits, identity)
}

/** Asks for an answer that is a text. */
export async function askForText(pool: ReaderPool, repository: Repository): Promise<string> {
  return new TextDecoder().decode(await pool.ask(repository, anyId, info, signal))
}

/** A real repository whose reads of snapshots are counted. */
export async function openCounted(identity?: string) {
  const store = openLocalStore(join(fixtures, 'weather'))
  const reads: string[] = []
  const place: ObjectStore = {
    location: store.location,
    encodesKeys: store.encodesKeys,
    list: (prefix, options) => store.list(prefix, options),
    below: (prefix) => store.below(prefix),
    read: (key, options) => {
      reads.push(key)
      return store.read(key, options)
    },
  }
  const repository = openRepository(place, defaultLimits, identity)
  const { snapshotId } = await repository.resolve('main', signal)
  return { repository, snapshotId, snapshotReads: () => reads.filter((key) => key.startsWith('snapshots/')).length }
}
