// The texts that stand for branches, tags and notices in the table of events.

/** What the sequences of events count. All notices of a repository share one. */
export type NamedRef = { readonly kind: 'branch' | 'tag'; readonly name: string } | { readonly kind: 'notice' }

/**
 * A tag is `tag/NAME`. A branch is its name, as older versions of Floe wrote it, with `branch/` before it where it could be mistaken: branches
 * may have any names. Notices have the empty text.
 */
export function writeRef(ref: NamedRef): string {
  if (ref.kind === 'notice') return ''
  if (ref.kind === 'tag') return `tag/${ref.name}`
  return /^(?:$|tag\/|branch\/)/.test(ref.name) ? `branch/${ref.name}` : ref.name
}

/** The branch that a text stands for; null for a tag, and for notices. */
export function readBranch(text: string): string | null {
  if (text === '' || text.startsWith('tag/')) return null
  return text.startsWith('branch/') ? text.slice('branch/'.length) : text
}
