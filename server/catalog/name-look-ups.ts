import { LRUCache } from 'lru-cache'
import type { Stopwatch } from '../timing.ts'
import type { SourceScan } from './source-scan.ts'

/** Bounds the names that are looked up or cached as unknown, because callers choose them. */
const maxLookUps = 1_000

/** A look-up of a name that is under way, or that found nothing. */
type LookUp = { readonly start: number; readonly end: Promise<void> }

/** Looks up names that no scan has found yet. A name that leads to nothing is cached, so that guessing names does not read the store each time. */
export class NameLookUps {
  readonly #elapsed: Stopwatch
  readonly #missMaxAgeMs: number
  readonly #lookUps = new LRUCache<string, LookUp>({ max: maxLookUps })

  constructor(elapsed: Stopwatch, missMaxAgeMs: number) {
    this.#elapsed = elapsed
    this.#missMaxAgeMs = missMaxAgeMs
  }

  /**
   * Looks for a name in all scanned locations, unless that was done lately. A location that has it then knows it.
   *
   * @throws the error of a location, when no other has the name
   */
  async find(name: string, scans: readonly SourceScan[], makeSignal: () => AbortSignal): Promise<void> {
    const start = this.#elapsed()
    const cached = this.#lookUps.get(name)
    if (cached && start < cached.start + this.#missMaxAgeMs) return cached.end
    const lookUp = { start, end: lookUpAll(name, scans, makeSignal()) }
    this.#lookUps.set(name, lookUp)
    const forget = () => this.#lookUps.peek(name) === lookUp && this.#lookUps.delete(name)
    lookUp.end.then(() => scans.some((scan) => scan.names.has(name)) && forget(), forget)
    return lookUp.end
  }

  clear(): void {
    this.#lookUps.clear()
  }
}

/** Looks in all locations at once until the first has the name, so that one that hangs does not hide the others. */
async function lookUpAll(name: string, scans: readonly SourceScan[], signal: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  const find = async (scan: SourceScan) => {
    try {
      if (await scan.find(name, signal)) return
    } catch (error) {
      failures.push(error)
    }
    throw new Error(`${name} is not here`)
  }
  await Promise.any(scans.map(find)).catch(() => {
    if (failures.length > 0) throw failures[0]
  })
}
