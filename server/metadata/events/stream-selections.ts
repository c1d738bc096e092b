import { responseHeaders } from '@floe/contract'
import { type Database, mainAlone, recordStreamSelection, selectRefs } from '@floe/storage/database'
import { RequestProblem } from '../../http/problems/request-problem.ts'
import type { Timing } from '../../timing.ts'
import type { StreamScope } from './event-stream.ts'

type SelectionParts = {
  readonly db: Database
  readonly timing: Pick<Timing, 'now' | 'elapsed'>
  /** Called when a stream selects branches or tags. */
  readonly onSelection: () => void
}

type Selecting = Pick<StreamScope, 'org' | 'events' | 'branches'>

/** How long the refs of a stream are watched after its last renewal, and the time between two renewals, in milliseconds. */
const wantedMs = 3_600_000
const renewalMs = 900_000

/** `Retry-After` of a refused stream, in seconds. */
const retryAfterS = 600

/** Has all replicas watch the branches and tags that the streams of this process select. */
export class StreamSelections {
  readonly #parts: SelectionParts
  /** When the selections are recorded again, by the stopwatch. */
  #renewAt = 0

  constructor(parts: SelectionParts) {
    this.#parts = parts
  }

  /** @throws RequestProblem `too-many-requests` when the streams of the organisation have too many different selections */
  async open(stream: Selecting): Promise<void> {
    if (selectRefs(stream) === mainAlone) return
    if (await this.#record(stream)) return this.#parts.onSelection()
    const detail =
      'Streams of this organisation select too many different branches; use patterns that others use, or try again later'
    const headers = { [responseHeaders.retryAfter.name]: String(retryAfterS) }
    throw new RequestProblem('too-many-requests', detail, { headers })
  }

  /** Keeps the refs of open streams watched. One that was forgotten meanwhile, and has no place any more, still gets what is recorded. */
  async renew(streams: readonly Selecting[]): Promise<void> {
    const elapsed = this.#parts.timing.elapsed()
    if (elapsed < this.#renewAt) return
    this.#renewAt = elapsed + renewalMs
    for (const stream of streams) await this.#record(stream)
  }

  #record({ org, events, branches }: Selecting): Promise<boolean> {
    const { db, timing } = this.#parts
    const now = timing.now()
    const wanted = { org, selection: selectRefs({ events, branches }), until: new Date(now + wantedMs) }
    return recordStreamSelection(db, wanted, new Date(now))
  }
}
