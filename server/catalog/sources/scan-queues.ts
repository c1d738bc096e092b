import { FairQueue } from '@floe/storage/waiting'

/** Queues for scans and for lookups of single names. Organisations share the slots of each; see {@link FairQueue}. */
type Queues = { readonly scans: FairQueue; readonly lookups: FairQueue }

/**
 * Limits the scans of a process, and the lookups of single names in its sources, so that the number of open files and
 * sockets does not grow with the number of organisations. A scan makes many lookups. Sources whose last scan failed
 * have queues of their own, so that sources that hang can delay others only once.
 */
export class ScanQueues {
  readonly #steady: Queues = { scans: new FairQueue(32), lookups: new FairQueue(64) }
  readonly #failing: Queues = { scans: new FairQueue(16), lookups: new FairQueue(16) }

  /** Returns the queues of a source. */
  choose(hasFailed: boolean): Queues {
    return hasFailed ? this.#failing : this.#steady
  }
}
