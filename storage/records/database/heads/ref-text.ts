// The texts that stand for branches, tags, expectations, checks, verdicts and notices in the table of events.
import { type RawBuilder, sql } from 'kysely'

/**
 * What an event is about, and what its sequence counts. All notices of a repository share one. Each expectation and
 * each check of a branch, and the verdicts about a branch, have their own, so that a receiver that gets only the latest
 * held delivery of each still gets the last commit of the branch.
 */
export type NamedRef =
  | { readonly kind: 'branch' | 'tag'; readonly name: string }
  /** What head moves of the branch with this name mean for readers. The sequence is that of the head moves. */
  | { readonly kind: 'verdict'; readonly name: string }
  /** Whether the branch with this name meets the expectation with this id. */
  | { readonly kind: 'expectation'; readonly id: string; readonly name: string }
  /** Which head of the branch with this name is good by the expectation with this id. */
  | { readonly kind: 'good'; readonly id: string; readonly name: string }
  /** What the check with this id says of the head of the branch with this name; of other snapshots if that is empty. */
  | { readonly kind: 'check'; readonly id: string; readonly name: string }
  /** The remark with this id, which is about no branch. */
  | { readonly kind: 'remark'; readonly id: string; readonly name: '' }
  | { readonly kind: 'notice' }

/** Returns `branch/NAME`, `tag/NAME`, `verdict/BRANCH`, `notice`, or a kind with an id: `check/NAME/BRANCH`. */
export function writeRef(ref: NamedRef): string {
  if (ref.kind === 'notice') return ref.kind
  return 'id' in ref ? `${ref.kind}/${ref.id}/${ref.name}` : `${ref.kind}/${ref.name}`
}

/** The branch that something with this ref is about; null for a tag, notices, and checks of other snapshots. */
export function branchOf(ref: NamedRef): string | null {
  return ref.kind === 'tag' || ref.kind === 'notice' || ref.name === '' ? null : ref.name
}

/** The text of {@link writeRef} for a column with the name of a branch. */
export function branchRef(branch: RawBuilder<unknown>): RawBuilder<string> {
  return sql`'branch/' || ${branch}`
}

/** The branch that an event with this text of {@link writeRef} is about, as {@link branchOf} returns it. */
export function readBranch(text: string): string | null {
  for (const kind of ['branch/', 'verdict/']) if (text.startsWith(kind)) return text.slice(kind.length)
  // An id has no slash; the name of a branch can have some.
  const [prefix] = /^(?:expectation|good|check)\/[^/]*\//.exec(text) ?? []
  return prefix === undefined || prefix === text ? null : text.slice(prefix.length)
}

/** The name of the check that an event with this text of {@link writeRef} is about. */
export function readCheckName(text: string): string {
  return text.split('/')[1] ?? ''
}
