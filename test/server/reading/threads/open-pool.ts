// Pools of reader threads, and repositories to ask them about.
import { join } from 'node:path'
import { defaultLimits, openRepository, type SnapshotId } from '@floe/storage/icechunk'
import { type LocalDirectory, type ObjectStore, openLocalStore } from '@floe/storage/objects'
import type { Test } from 'tap'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import type { ReaderOptions } from '../../../../server/reading/threads/reader.ts'
import { type AskedRepository, type PoolOptions, ReaderPool } from '../../../../server/reading/threads/reader-pool.ts'
import type { Question } from '../../../../server/reading/questions/question.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { fixtures } from '../../start-server.ts'

/** A signal that never aborts. */
export const { signal } = new AbortController()

export const anyId = '1CECHNKREP0F1RSTCMT0' as SnapshotId // the programs of tests do not look into it
export const info: Question<'info'> = { kind: 'info', group: 'forecast' }

const settings = { cacheBytes: 10_000_000, limits: defaultLimits }

/** What a test can change. */
type PoolParts = Partial<Omit<PoolOptions, 'settings'>> & Partial<Pick<ReaderOptions['settings'], 'cacheBytes'>>

/** Opens a pool. No time limit ever ends, unless the test passes timers. */
export function openPool(t: Test, threads: number, parts: PoolParts = {}): ReaderPool {
  const { cacheBytes = settings.cacheBytes, ...others } = parts
  const pool = new ReaderPool(threads, {
    settings: { ...settings, cacheBytes },
    manifestBytes: 10_000_000,
    after: () => () => undefined,
    elapsed: () => performance.now(),
    metrics: createMetrics(),
    ...others,
  })
  t.teardown(() => pool.close())
  return pool
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

/** A repository of its own, and a question about a group of it. */
export type Asked = AskedRepository & { readonly question: Question<'info'> }

/** Opens a repository with a question. The programs of these tests misbehave for the group `troublesome`. */
export function openAsked(group: string, org = 'acme'): Asked {
  const store = new MemoryStore([[`snapshots/${anyId}`, new Uint8Array(1)]])
  return { org, repository: openRepository(store), question: { kind: 'info', group } }
}

/** Asks for an answer that is a text. */
export async function askForText(pool: ReaderPool, { question, ...asked }: Asked): Promise<string> {
  return String(JSON.parse((await pool.ask(asked, anyId, question, signal)).toString()))
}

/**
 * A real repository whose reads of snapshots in this thread are counted. Reads in reader threads are not, and need a
 * local directory.
 */
export async function openCounted(
  chooseDirectory: (store: ObjectStore) => LocalDirectory | undefined = () => undefined,
) {
  const store = openLocalStore(join(fixtures, 'weather'))
  const reads: string[] = []
  const localDirectory = chooseDirectory(store)
  const counted: ObjectStore = {
    ...(localDirectory && { localDirectory }),
    location: store.location,
    encodesKeys: store.encodesKeys,
    list: (prefix, options) => store.list(prefix, options),
    below: (prefix) => store.below(prefix),
    read: (key, options) => {
      reads.push(key)
      return store.read(key, options)
    },
  }
  const repository = openRepository(counted)
  const { snapshotId } = await repository.resolve('main', signal)
  return { repository, snapshotId, snapshotReads: () => reads.filter((key) => key.startsWith('snapshots/')).length }
}
