// Lists the directories of a location that may be repositories.
import { repoKey } from '@floe/storage/icechunk'
import { type Listing, type ObjectStore, TooManyObjectsError } from '@floe/storage/objects'
import { mapInParallel } from '@floe/storage/waiting'
import type { ScanDepth } from './nested-names.ts'

/** Maximum number of directories that one scan lists, because each needs a request. */
const maxListings = 1_000

/** Directories that are listed at the same time. */
const listWidth = 8

type ListRequest = {
  readonly depth: ScanDepth
  /** Maximum number of directories and files that all listings together may contain. */
  readonly maxScanned: number
  /** Directories known to be repositories. They are not listed. */
  readonly known: ReadonlySet<string>
  readonly signal: AbortSignal
}

/**
 * Lists the directories directly below a location, as paths below it. At depth 2, lists those that are no repository,
 * too.
 *
 * @throws TooManyObjectsError that names the limit
 */
export async function listDirectories(root: ObjectStore, request: ListRequest): Promise<readonly string[]> {
  const { depth, maxScanned, known } = request
  const where = depth === 1 ? 'directly below a scanned location' : 'in the two levels below a scanned location'
  const refuse = (excess: string, cause?: unknown) => new TooManyObjectsError(root.location, '', excess, { cause })
  const excess = `more than ${maxScanned} directories and files lie ${where}; to allow more, raise limits.maxScanned`
  let left = maxScanned
  const list = async (prefix: string): Promise<Listing> => {
    const listing = await root
      .list(prefix, { maxEntries: maxScanned, signal: request.signal })
      .catch((cause: unknown) => {
        throw cause instanceof TooManyObjectsError ? refuse(excess, cause) : cause
      })
    left -= listing.objects.length + listing.prefixes.length
    if (left < 0) throw refuse(excess)
    return listing
  }
  const top = (await list('')).prefixes
  if (depth === 1) return top
  const unknown = top.filter((directory) => !known.has(directory))
  if (unknown.length > maxListings) {
    const what = `more than ${maxListings} directories directly below a scanned location must be listed`
    throw refuse(`${what}, which "depth": 2 does not allow`)
  }
  const nested = await mapInParallel(unknown, listWidth, async (directory) =>
    findCandidates(directory, await list(`${directory}/`)),
  )
  return [...top.filter((directory) => known.has(directory)), ...nested.flat()]
}

/** The directories at or below a listed one that may be repositories. */
function findCandidates(directory: string, { objects, prefixes }: Listing): readonly string[] {
  if (objects.includes(repoKey)) return [directory]
  const below = prefixes.map((prefix) => `${directory}/${prefix}`)
  // In format version 1, the refs show a repository.
  return prefixes.includes('refs') ? [directory, ...below] : below
}
