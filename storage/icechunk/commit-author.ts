import type { CommitMetadata } from './types.ts'

/** What stands in place of an author where the commit names none. */
const unknown = 'unknown'

/** Metadata items that identify an author, the most exact one first. Icechunk itself stores no author. */
const authorItems = ['author_id', 'author_email', 'author_name', 'author']

/** Identifies the author of a commit to programs: the first item that is a text and not blank, trimmed; else `unknown`. */
export function commitAuthorId(metadata: CommitMetadata): string {
  for (const name of authorItems) {
    const text = textItem(metadata, name)
    if (text !== undefined) return text
  }
  return unknown
}

/**
 * Names the author of a commit to people. Arraylake's clients write `author_name` and `author_email`, which give
 * `Name <email>`; Icechunk's own examples write `author`. Without either it is the author's id, or else `unknown`.
 */
export function commitAuthor(metadata: CommitMetadata): string {
  const name = textItem(metadata, 'author_name')
  if (name === undefined) return textItem(metadata, 'author') ?? commitAuthorId(metadata)
  const email = textItem(metadata, 'author_email')
  return email === undefined ? name : `${name} <${email}>`
}

function textItem(metadata: CommitMetadata, name: string): string | undefined {
  const value = metadata.get(name)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
