import type { ReaderLimits } from '@floe/storage/icechunk'
import type { Metrics } from '../observation/metrics.ts'
import type { Timing } from '../timing.ts'
import { AnswerCache } from '../metadata/answering/answer-cache.ts'
import { SnapshotAnswers } from '../metadata/answering/snapshot-answers.ts'
import { ReaderPool } from '../reading/threads/reader-pool.ts'

/** Shares of `cache.maxBytes`. The rest is for the commits of version 1. */
const shares = { snapshots: 0.65, answers: 0.27, manifests: 0.05 } as const

/**
 * Memory of a reader thread besides snapshots, in bytes: its heap, and freed memory that the allocator keeps. It counts
 * towards the cache. Measured while two threads read 1,000 repositories of 280 variables.
 */
const readerThreadBytes = 56 * 1024 ** 2

/**
 * Number of reader threads. With two, a repository that keeps one thread busy does not block the others. More threads
 * would need more memory in the default configuration; a machine with more processors has room for more replicas.
 */
const threads = 2

/** What answers questions about snapshots. */
export type Reading = { readonly readers: ReaderPool; readonly cache: AnswerCache; readonly answers: SnapshotAnswers }

/** Opens the reader threads and the cache of their answers. The caller closes the threads. */
export function openReading({
  maxBytes,
  readerLimits: limits,
  timing,
  metrics,
}: {
  /** For snapshots, manifests, answers and what the threads take, in bytes. */
  readonly maxBytes: number
  readonly readerLimits: ReaderLimits
  readonly timing: Pick<Timing, 'after' | 'elapsed'>
  readonly metrics: Metrics
}): Reading {
  const share = (maxBytes * shares.snapshots) / threads
  // If the cache is small, a quarter of each thread's share is left for snapshots.
  const cacheBytes = Math.ceil(Math.max(share - readerThreadBytes, share / 4))
  const { after, elapsed } = timing
  const settings = { cacheBytes, limits }
  const manifestBytes = maxBytes * shares.manifests
  const readers = new ReaderPool(threads, { settings, manifestBytes, after, elapsed, metrics })
  const cache = new AnswerCache(maxBytes * shares.answers, metrics)
  return { readers, cache, answers: new SnapshotAnswers(readers, cache) }
}
