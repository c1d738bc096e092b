import type { AskedFiles } from '@floe/storage/icechunk'
import type { AskedFor } from '../asked-for.ts'

/** How many files a page has when the request does not say. */
const defaultLimit = 100

/** The number of files of a page. */
export function limitFiles({ limit = defaultLimit }: Pick<AskedFor<'chunk-sources'>, 'limit'>): number {
  return limit
}

/** What is read of manifests: the files of the page, and one more, which tells whether another page follows. */
export function askForFiles(asked: AskedFor<'chunk-sources'>): AskedFiles {
  const { containers, file, after } = asked
  return { containers, file, after, limit: limitFiles(asked) + 1 }
}
