import { responseHeaders } from '@floe/contract'
import {
  type Database,
  mainAlone,
  recordStreamSelections,
  selectRefs,
  type StreamSelection,
} from '@floe/storage/database'
import { FairShares, type TenantCaller } from '@floe/storage/waiting'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { Timing } from '../../timing.ts'
import { listNamed } from './event-scope.ts'
import type { StreamScope } from './event-stream.ts'

type StreamSelectionsParts = {
  readonly db: Database
  readonly timing: Pick<Timing, 'now' | 'elapsed'>
  /** Called when a stream selects branches, tags or verdicts that were not selected before. */
  readonly onSelection: () => void
}

/** What a stream selects, for which caller, and in which repositories. */
type SelectingStream = Pick<StreamScope, 'org' | 'deployment' | 'caller' | 'repo' | 'filter'> & {
  readonly served: Pick<StreamScope['served'], 'patterns'>
  readonly reader: StreamScope['reader']
}

/** A selection that takes a slot of its organisation. */
type HeldSelection = {
  readonly org: string
  readonly caller: TenantCaller
  /** By the stopwatch. */
  readonly until: number
}

/**
 * Maximum number of different selections of an organisation's streams in this process. The deployments of the
 * organisation share them, and the callers of each deployment what it gets. The selections of each caller count
 * separately.
 */
const maxSelections = 100

/**
 * How long a selection stays valid without a renewal, and the time between two renewals, in milliseconds. A client that
 * connects again within the difference of the two misses no event.
 */
const validMs = 120_000
const renewalMs = 30_000

/**
 * Records the branches, tags and verdicts that the streams of this process select, so that all replicas watch them. A
 * selection takes a slot until it is no longer valid, so that many short streams do not select more than long ones.
 */
export class StreamSelections {
  readonly #parts: StreamSelectionsParts
  /** By organisation, deployment, caller, and what is selected. */
  readonly #held = new Map<string, HeldSelection>()
  /** The slots of each organisation. Their tenants are deployments. */
  readonly #shares = new Map<string, FairShares>()
  /** When the selections are recorded again, by the stopwatch. */
  #renewAt = 0

  constructor(parts: StreamSelectionsParts) {
    this.#parts = parts
  }

  /**
   * Records what a new stream selects.
   *
   * @throws RequestProblem `too-many-requests` when the streams of the caller, or of others, select too much
   */
  async open(stream: SelectingStream): Promise<void> {
    if (selectsNothing(listSelected(stream))) return
    this.#releaseExpired()
    if (!this.#hold(stream)) throw refuse()
    if (await this.#record([stream])) this.#parts.onSelection()
  }

  /** Keeps the refs of open streams watched. */
  async renew(streams: readonly SelectingStream[]): Promise<void> {
    const elapsed = this.#parts.timing.elapsed()
    if (elapsed < this.#renewAt) return
    this.#renewAt = elapsed + renewalMs
    const selecting = streams.filter((stream) => !selectsNothing(listSelected(stream)))
    for (const stream of selecting) this.#hold(stream)
    await this.#record(selecting)
  }

  /** Takes a slot for what a stream selects, or keeps it. Returns whether there is one. */
  #hold(stream: SelectingStream): boolean {
    const { org, deployment, caller } = stream
    const id = JSON.stringify([org, deployment, caller.caller, listSelected(stream)])
    const inDeployment = { ...caller, tenant: deployment }
    if (!this.#held.has(id)) {
      const shares = this.#shares.get(org) ?? new FairShares(() => maxSelections)
      if (!shares.hasRoom(inDeployment)) return false
      shares.take(inDeployment)
      this.#shares.set(org, shares)
    }
    this.#held.set(id, { org, caller: inDeployment, until: this.#parts.timing.elapsed() + validMs })
    return true
  }

  #releaseExpired(): void {
    const elapsed = this.#parts.timing.elapsed()
    for (const [id, { org, caller, until }] of this.#held) {
      if (until > elapsed) continue
      this.#held.delete(id)
      this.#shares.get(org)?.release(caller)
    }
  }

  /** Returns whether something was not selected before. */
  async #record(streams: readonly SelectingStream[]): Promise<boolean> {
    const { db, timing } = this.#parts
    const now = timing.now()
    const selections = streams.map((stream) => {
      const { org, served, reader } = stream
      const { repo, selection, filter } = listSelected(stream)
      const repos = served.patterns
      const names = repo === undefined ? listNamed({ repo, reader }) : [repo]
      return { org, repos, names, selection, filter: filter && { ...filter, repos } }
    })
    return recordStreamSelections(db, selections, { now: new Date(now), until: new Date(now + validMs) })
  }
}

/** `repo`: verdicts are wanted for one repository, so that those of others are not computed. */
type Selected = Pick<StreamSelection, 'selection' | 'filter'> & { readonly repo: string | undefined }

function listSelected({ repo, filter, caller }: SelectingStream): Selected {
  const selection = selectRefs({ ...filter, isAnonymous: caller.isAnonymous })
  if (!filter.events.includes('SchemaChanged')) return { selection, filter: null, repo: undefined }
  // The other events need no verdict.
  return { selection, filter: { ...filter, events: ['SchemaChanged'] }, repo }
}

/** Whether a stream needs nothing that is not recorded anyway. */
function selectsNothing({ selection, filter }: Selected): boolean {
  return selection === mainAlone && filter === null
}

function refuse(): RequestProblem {
  const detail =
    'Streams of this caller or deployment select too many different branches; ' +
    'use patterns that are selected already, or try again later'
  const headers = { [responseHeaders.retryAfter.name]: String(validMs / 1_000) }
  return new RequestProblem('too-many-requests', detail, { headers })
}
