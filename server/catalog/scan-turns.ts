import { FairTurns } from '@floe/storage/waiting'

/** Places of a process for work on sources. Organisations take turns; one of them has at most half of what the others leave. */
type Places = { readonly scans: FairTurns; readonly lookUps: FairTurns }

/**
 * Bounds the scans of a process, and the look-ups of single names in its sources. A scan makes many look-ups. The files and sockets that are
 * open at the same time then do not grow with the number of organisations. Sources whose last scan failed have places of their own: those that
 * hang keep others from theirs only once.
 */
export class ScanTurns {
  readonly #steady: Places = { scans: new FairTurns(32), lookUps: new FairTurns(64) }
  readonly #failing: Places = { scans: new FairTurns(16), lookUps: new FairTurns(16) }

  choose(hasFailed: boolean): Places {
    return hasFailed ? this.#failing : this.#steady
  }
}
