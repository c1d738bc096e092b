// What the database knows of the repositories of a list. The number of queries does not depend on theirs.
import type { RepositoryState } from '@floe/contract/lists'
import {
  type ListedBranch,
  listCoverage,
  listHeads,
  listMoves,
  listStates,
  listUnreadableNames,
} from '@floe/storage/database'
import { Slices } from '@floe/storage/waiting'
import { describeState, showState } from '../expectations/show-expectation.ts'
import { readMetadata } from '../groups/repository-metadata.ts'
import type { ExpectedBranch } from '../pages/browse/expected-branch.ts'
import type { ShownRepository } from '../pages/browse/repository-item.ts'
import { findRemarksAbout } from '../remarks/find-remarks.ts'
import { readFacts } from '../self-description/read-facts.ts'
import type { MetadataContext } from './metadata-context.ts'

/** Maximum number of branches of expectations that are read for a page; unmet ones come first. */
const maxStatesOfPage = 1_000

/** What is wrong with repositories, by name. */
export type Troubles = ReadonlyMap<string, readonly RepositoryState[]>

type SummarySources = Pick<MetadataContext, 'db' | 'timing'> & { readonly search: { readonly enabled: boolean } }

/** Summarizes these repositories, in their order. */
export async function summarizeRepositories(
  { db, timing, search }: SummarySources,
  org: string,
  { names, troubles }: { readonly names: readonly string[]; readonly troubles: Troubles },
  signal: AbortSignal,
): Promise<readonly ShownRepository[]> {
  const now = timing.now()
  const [heads, unreadable, expected, moves, coverage] = await Promise.all([
    listHeads(db, org, names),
    listUnreadableNames(db, org, names),
    listStates(db, { org, names }, maxStatesOfPage),
    listMoves(db, org, names, new Date(now)),
    search.enabled ? listCoverage(db, org, names) : undefined,
  ])
  const places = [...heads].map(([repo, { snapshotId }]) => ({ repo, snapshotId, ref: 'main' }))
  const findRemarks = await findRemarksAbout(db, org, places, now)
  const expectations = Map.groupBy(expected, ({ repo }) => repo)
  const slices = new Slices(signal)
  const summaries: ShownRepository[] = []
  for (const name of names) {
    if (slices.isOver) await slices.next()
    const { snapshotId = '', formatVersion = null, commit = null, metadata = null } = heads.get(name) ?? {}
    const { title, summary } = readFacts(metadata === null ? [] : [readMetadata(metadata)])
    const covered = coverage?.get(name) ?? null
    summaries.push({
      name,
      title: title ?? covered?.onlyTitle ?? null,
      summary,
      states: troubles.get(name) ?? [],
      formatVersion,
      lastCommit: commit && { snapshotId, ...commit },
      unreadableSince: unreadable.get(name) ?? null,
      expectations: (expectations.get(name) ?? []).map((one) => describeBranch(one, now)),
      retractions: findRemarks({ repo: name, snapshotId, ref: 'main' }).filter(({ kind }) => kind === 'retraction'),
      moves: moves.get(name) ?? [],
      coverage: covered,
    })
  }
  return summaries
}

/** Describes a branch that has an expectation. */
export function describeBranch({ expectation, branch, state }: ListedBranch, now: number): ExpectedBranch {
  const shown = showState(expectation, branch, state)
  const path = 'path' in shown ? shown.path : null
  const { kind } = expectation
  const words = describeState(shown, now)
  return { kind, branch, path, isUnmet: shown.state === 'unmet', since: state.unmetSince, words }
}
