import { LRUCache } from 'lru-cache'
import type { Stopwatch } from '../../timing.ts'
import type { SourceScan } from './source-scan.ts'

/** Maximum number of names that are looked up or cached as unknown. Callers choose the names. */
const maxLookups = 1_000

/** A lookup that is running or has found nothing. */
type Lookup = { readonly start: number; readonly end: Promise<void> }

/**
 * Looks up names that no scan has found yet. A name that no repository has is cached, so that callers who guess names
 * do not cause a read of the store each time.
 */
export class NameLookups {
  readonly #elapsed: Stopwatch
  readonly #missMaxAgeMs: number
  readonly #lookups = new LRUCache<string, Lookup>({ max: maxLookups })

  /** @param missMaxAgeMs how long a name that no repository has is cached, in milliseconds */
  constructor(elapsed: Stopwatch, missMaxAgeMs: number) {
    this.#elapsed = elapsed
    this.#missMaxAgeMs = missMaxAgeMs
  }

  /**
   * Looks up a name in all scanned locations, unless it is cached. A scan whose location has the repository adds the
   * name to its names.
   *
   * @throws the error of a location, if no other location has the name
   */
  async find(name: string, scans: readonly SourceScan[], makeSignal: () => AbortSignal): Promise<void> {
    const start = this.#elapsed()
    const cached = this.#lookups.get(name)
    if (cached && start < cached.start + this.#missMaxAgeMs) return cached.end
    const lookup = { start, end: lookUp(name, scans, makeSignal()) }
    this.#lookups.set(name, lookup)
    const forget = () => this.#lookups.peek(name) === lookup && this.#lookups.delete(name)
    lookup.end.then(() => scans.some((scan) => scan.names.has(name)) && forget(), forget)
    return lookup.end
  }

  clear(): void {
    this.#lookups.clear()
  }
}

/**
 * Asks all locations at the same time until the first has the name, so that a location that hangs does not hide the
 * others.
 */
async function lookUp(name: string, scans: readonly SourceScan[], signal: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  const find = async (scan: SourceScan) => {
    try {
      if (await scan.find(name, signal)) return
    } catch (error) {
      failures.push(error)
    }
    // Promise.any ignores this rejection if another location has the name.
    throw new Error(`${name} is not here`)
  }
  await Promise.any(scans.map(find)).catch(() => {
    if (failures.length > 0) throw failures[0]
  })
}
