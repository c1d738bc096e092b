import type { Timing } from '../timing.ts'
import type { SourceScan } from './source-scan.ts'

/** Longest wait for a source that has not failed before, in milliseconds, when another source answers. */
const timeoutMs = 5_000

/** Waits for the scans of several sources, so that one that hangs holds up few requests. */
export class ScanTimeout {
  readonly #after: Timing['after']
  /** Scans that took longer than the timeout, and have not ended yet. */
  readonly #late = new Set<SourceScan>()

  constructor(after: Timing['after']) {
    this.#after = after
  }

  /**
   * Brings scans up to date. Resolves as soon as none is worth waiting for, but, if `needsAnswer`, not before one has answered or all have
   * failed.
   */
  async wait(scans: readonly SourceScan[], needsAnswer: boolean): Promise<void> {
    const begun = scans.map((scan) => ({ scan, end: scan.refresh() }))
    await this.#waitForAll(begun.filter(({ scan }) => scan.failure === undefined && !this.#late.has(scan)))
    if (!needsAnswer || scans.some(({ isUsable }) => isUsable)) return
    const waitForOne = async ({ scan, end }: (typeof begun)[number]) => {
      await end
      if (!scan.isUsable) throw scan.failure
    }
    await Promise.any(begun.map(waitForOne)).catch(() => {})
  }

  async #waitForAll(begun: readonly { readonly scan: SourceScan; readonly end: Promise<void> }[]): Promise<void> {
    const waiting = new Map(begun.map(({ scan, end }) => [scan, end]))
    for (const [scan, end] of waiting) void end.then(() => waiting.delete(scan))
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    const cancel = this.#after(timeoutMs, () => {
      for (const [scan, end] of waiting) {
        this.#late.add(scan)
        void end.then(() => this.#late.delete(scan))
      }
      resolve()
    })
    await Promise.race([Promise.all(waiting.values()), enough])
    cancel()
  }
}
