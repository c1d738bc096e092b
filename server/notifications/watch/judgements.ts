import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import { type JudgeParts, judgeRecorded, judgeUnread, type UnreadBranch } from '../../expectations/judge-repository.ts'

type JudgementParts = JudgeParts & {
  /** Called when `nextDueAt` may have changed. */
  readonly onJudged: () => void
  /** Called with a failure; the next check judges again. */
  readonly onError: (error: unknown) => void
}

/** A check that has succeeded. */
type Check = {
  /** What is judged now; see `WantedSelection`. */
  readonly judgedKey: string
  /** Version of the repository; see `CheckedHead`. */
  readonly version: string | undefined
  /** When it began, by the clock of the database. */
  readonly startedAt: number
}

const noBranches: readonly UnreadBranch[] = []

/**
 * Judges what is expected of a repository. Judges only after a successful check, so that a repository that cannot be
 * read changes no state, and a service that was down first learns what was committed meanwhile.
 *
 * There are two loops. What the records say is judged at once after each check. Branches that must be read wait for
 * their turn, because reader threads may take seconds for each. Neither a check nor the first loop waits for them.
 */
export class Judgements {
  readonly #parts: JudgementParts
  readonly #entry: CatalogEntry
  /** What the last judgement was about; undefined if the next check judges in any case. */
  #last: Pick<Check, 'judgedKey' | 'version'> | undefined
  #nextDueAt: number | undefined
  /** Whether the next check judges although nothing has changed in the repository. */
  #hasRemarks = false
  /** The last of the checks that have ended since the last judgement began. */
  #next: Check | undefined
  #judging: Promise<void> | undefined
  /** The branches that wait to be read, in the order of their turns. */
  #unread = noBranches
  /** The key of the branch that is being read, and a check that has found it unread meanwhile. */
  #current: string | undefined
  #again: Check | undefined
  #reading: Promise<void> | undefined
  #abort: AbortController | undefined
  #isClosed = false

  constructor(parts: JudgementParts, entry: CatalogEntry) {
    this.#parts = parts
    this.#entry = entry
  }

  /** When the next branch is due, in milliseconds since 1970; undefined if that is not known. */
  get nextDueAt(): number | undefined {
    return this.#nextDueAt
  }

  /** Resolves when no judgement is under way. */
  get ended(): Promise<void> {
    return this.#end()
  }

  /** Call this when another process may poll the repository. */
  forget(): void {
    this.#last = undefined
    this.#nextDueAt = undefined
  }

  /** Call this when something was said of a snapshot: the next check judges in any case. */
  noteRemark(): void {
    this.#hasRemarks = true
  }

  /** Aborts the judgement under way, because the service stops. */
  abort(reason: Error): void {
    this.#isClosed = true
    this.#next = undefined
    this.#unread = noBranches
    this.#abort?.abort(reason)
  }

  /** Judges after a check if something has changed since the last time, or a branch is due. */
  noteCheck(check: Check): void {
    const { judgedKey, version, startedAt } = check
    if (this.#isClosed) return
    if (judgedKey === '') {
      this.forget()
      return
    }
    const isSame = this.#last?.judgedKey === judgedKey && version !== undefined && this.#last.version === version
    if (isSame && !this.#hasRemarks && (this.#nextDueAt === undefined || startedAt < this.#nextDueAt)) return
    this.#hasRemarks = false
    this.#next = check
    this.#judging ??= this.#judge()
  }

  async #end(): Promise<void> {
    for (let loop = this.#judging ?? this.#reading; loop !== undefined; loop = this.#judging ?? this.#reading)
      await loop
  }

  /** The first loop. */
  async #judge(): Promise<void> {
    for (let check = this.#next; check !== undefined; check = this.#next) {
      this.#next = undefined
      this.forget()
      try {
        const { isComplete, nextDueAt, unread } = await judgeRecorded(this.#parts, this.#entry, check.startedAt)
        if (isComplete) this.#last = check
        this.#nextDueAt = nextDueAt
        this.#add(unread, check)
      } catch (error) {
        if (!this.#isClosed) this.#parts.onError(error)
      }
    }
    this.#judging = undefined
    this.#parts.onJudged()
  }

  /** Makes branches wait to be read, and no others. Those that wait already keep their turn. */
  #add(unread: readonly UnreadBranch[], check: Check): void {
    if (this.#isClosed) return
    const added = new Map(unread.map((branch) => [branch.key, branch]))
    // Its judgement is recorded first.
    if (this.#current !== undefined && added.delete(this.#current)) this.#again = check
    const waiting = this.#unread.flatMap(({ key }) => added.get(key) ?? [])
    for (const { key } of waiting) added.delete(key)
    const turns = [...waiting, ...added.values()]
    this.#unread = turns.toSorted((left, right) => Number(left.isLast) - Number(right.isLast))
    if (this.#unread.length > 0) this.#reading ??= this.#read()
  }

  /** The second loop. */
  async #read(): Promise<void> {
    const abort = new AbortController()
    this.#abort = abort
    for (let [branch, ...rest] = this.#unread; branch !== undefined; [branch, ...rest] = this.#unread) {
      this.#unread = rest
      this.#current = branch.key
      await this.#readBranch(branch, abort.signal)
      this.#current = undefined
      const again = this.#again
      this.#again = undefined
      if (again === undefined || this.#next !== undefined) continue
      this.#last = undefined
      this.noteCheck(again)
    }
    this.#abort = undefined
    this.#reading = undefined
    // As after a check: the state of the repository may have been read.
    this.#entry.repository.releaseIdleState()
  }

  async #readBranch(branch: UnreadBranch, signal: AbortSignal): Promise<void> {
    try {
      const { isComplete, nextDueAt = Infinity } = await judgeUnread(this.#parts, this.#entry, branch, signal)
      if (!isComplete) this.#last = undefined
      if (nextDueAt < (this.#nextDueAt ?? Infinity)) this.#nextDueAt = nextDueAt
      this.#parts.onJudged()
    } catch (error) {
      this.#last = undefined
      if (!signal.aborted) this.#parts.onError(error)
    }
  }
}
