// The texts that stand for branches, tags and notices in the table of events.
import { type RawBuilder, sql } from 'kysely'

/** What the sequences of events count. All notices of a repository share one. */
export type NamedRef = { readonly kind: 'branch' | 'tag'; readonly name: string } | { readonly kind: 'notice' }

/** Returns `branch/NAME`, `tag/NAME` or `notice`. */
export function writeRef(ref: NamedRef): string {
  return ref.kind === 'notice' ? ref.kind : `${ref.kind}/${ref.name}`
}

/** The text of {@link writeRef} for a column with the name of a branch. */
export function branchRef(branch: RawBuilder<unknown>): RawBuilder<string> {
  return sql`'branch/' || ${branch}`
}

/** The branch that a text of {@link writeRef} stands for; null for a tag, and for notices. */
export function readBranch(text: string): string | null {
  return text.startsWith('branch/') ? text.slice('branch/'.length) : null
}
