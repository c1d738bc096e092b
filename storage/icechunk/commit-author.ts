import type { CommitMetadata } from './types.ts'

/**
 * Who made a commit, by convention: Icechunk itself stores no author. Arraylake's clients write `author_name` and
 * `author_email`, which give `Name <email>`; Icechunk's own examples write `author`. Only texts count, trimmed and not
 * empty. `unknown` when there is neither name nor author.
 */
export function commitAuthor(metadata: CommitMetadata): string {
  const name = textItem(metadata, 'author_name')
  if (name === undefined) return textItem(metadata, 'author') ?? 'unknown'
  const email = textItem(metadata, 'author_email')
  return email === undefined ? name : `${name} <${email}>`
}

function textItem(metadata: CommitMetadata, name: string): string | undefined {
  const value = metadata.get(name)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
