import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import { judgeCompleteness } from './completeness/judge-completeness.ts'
import { judgeContracts } from './contracts/judge-contracts.ts'
import { judgeFreshness } from './freshness/judge-freshness.ts'
import type { Judge, JudgeParts } from './judge.ts'

/** In the order in which they judge: reader threads may compare contracts for seconds. */
const judges: readonly Judge[] = [judgeFreshness, judgeCompleteness, judgeContracts]

type JudgementParts = JudgeParts & {
  /** Called when a judgement has ended. */
  readonly onJudged: () => void
  /** Called with a failure; the next check judges again. */
  readonly onError: (error: unknown) => void
}

/** A check that has succeeded. */
type Check = {
  /** What is judged now; see `WantedSelection`. */
  readonly judged: string
  /** Version of the repository; see `CheckedHead`. */
  readonly version: string | undefined
  /** When it began, by the clock of the database. */
  readonly startedAt: number
}

/** What the last judgement was about, and when the next is due in any case. */
type Judgement = Pick<Check, 'judged' | 'version'> & { readonly nextDueAt: number | undefined }

/**
 * Judges what is expected of a repository: whether branches are fresh and complete, and keep their contracts. Judges
 * only after a successful check, so that a repository that cannot be read changes no state, and a service that was down
 * first learns what was committed meanwhile. Checks do not wait for it; the last of those that end meanwhile is judged
 * next.
 */
export class Judgements {
  readonly #parts: JudgementParts
  readonly #entry: CatalogEntry
  #last: Judgement | undefined
  #next: Check | undefined
  #running: Promise<void> | undefined
  #abort: AbortController | undefined

  constructor(parts: JudgementParts, entry: CatalogEntry) {
    this.#parts = parts
    this.#entry = entry
  }

  /** When the next branch becomes stale, in milliseconds since 1970; undefined if that is not known. */
  get nextDueAt(): number | undefined {
    return this.#last?.nextDueAt
  }

  /** Resolves when no judgement is under way. */
  get ended(): Promise<void> {
    return this.#running ?? Promise.resolve()
  }

  /** Call this when another process may poll the repository. */
  forget(): void {
    this.#last = undefined
  }

  /** Aborts the judgement under way, because the service stops. */
  abort(reason: Error): void {
    this.#next = undefined
    this.#abort?.abort(reason)
  }

  /** Judges after a check if something has changed since the last time, or a branch is due. */
  noteCheck(check: Check): void {
    const { judged, version, startedAt } = check
    const last = this.#last
    if (judged === '') {
      this.#last = undefined
      return
    }
    const isSame = last?.judged === judged && version !== undefined && last.version === version
    if (isSame && (last.nextDueAt === undefined || startedAt < last.nextDueAt)) return
    this.#next = check
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    const abort = new AbortController()
    this.#abort = abort
    for (let check = this.#next; check !== undefined; check = this.#next) {
      this.#next = undefined
      this.#last = undefined
      try {
        this.#last = await this.#judge(check, abort.signal)
      } catch (error) {
        if (!abort.signal.aborted) this.#parts.onError(error)
      }
    }
    this.#abort = undefined
    this.#running = undefined
    // As after a check: judges may have read the state of the repository.
    this.#entry.repository.releaseIdleState()
    this.#parts.onJudged()
  }

  /** Returns undefined when a part of the repository could not be read. */
  async #judge({ judged, version, startedAt }: Check, signal: AbortSignal): Promise<Judgement | undefined> {
    const results = []
    for (const judge of judges) results.push(await judge(this.#parts, { entry: this.#entry, startedAt, signal }))
    if (!results.every(({ isComplete }) => isComplete)) return undefined
    const due = results.flatMap(({ nextDueAt }) => nextDueAt ?? [])
    return { judged, version, nextDueAt: due.length === 0 ? undefined : Math.min(...due) }
  }
}
