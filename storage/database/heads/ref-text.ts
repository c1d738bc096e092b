// The texts that stand for branches and tags in the table of events.

export type NamedRef = { readonly kind: 'branch' | 'tag'; readonly name: string }

/**
 * A tag is `tag/NAME`. A branch is its name, as older versions of Floe wrote it, with `branch/` before it where it could be mistaken: branches
 * may have any names.
 */
export function writeRef({ kind, name }: NamedRef): string {
  if (kind === 'tag') return `tag/${name}`
  return /^(?:tag|branch)\//.test(name) ? `branch/${name}` : name
}

/** The branch that a text stands for; null for a tag. */
export function readBranch(text: string): string | null {
  if (text.startsWith('tag/')) return null
  return text.startsWith('branch/') ? text.slice('branch/'.length) : text
}
