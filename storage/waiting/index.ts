/**
 * What waits, in one process. All of these keep nothing when they end.
 *
 * | kind | for |
 * | --- | --- |
 * | {@link FairShares} | slots that organisations and their callers divide; a caller who gets none is refused |
 * | {@link FairQueue} | the same for tasks that wait for a slot, in turns; with one slot, one task after the other |
 * | {@link mapInParallel} | the reads of one task, several at the same time |
 * | {@link SharedReads} | callers who want the same at the same time |
 * | {@link Batches} | items that cost little more together than alone |
 * | {@link BackgroundLoop} | work that repeats, and rests until it is due or woken |
 * | {@link Slices} | long work that lets the event loop do other work |
 * | {@link limitTime}, {@link waitOrAbort} | work that may take too long, or that nobody waits for any more |
 *
 * @module
 */
export { BackgroundLoop, type BackgroundLoopOptions } from './background-loop.ts'
export { Batches } from './batches.ts'
export { FairShares, type Room } from './fair-shares.ts'
export { FairQueue } from './fair-queue.ts'
export { limitTime, waitOrAbort } from './limit-time.ts'
export { mapInParallel } from './map-in-parallel.ts'
export { SharedReads } from './shared-reads.ts'
export { Slices } from './slices.ts'
export type { Tenant, TenantCaller } from './tenant.ts'
