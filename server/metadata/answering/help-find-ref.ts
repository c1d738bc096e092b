import type { Repository } from '@floe/storage/icechunk'
import type { RefHelp } from '../../catalog/ref-problem.ts'
import { makeReadingSignal } from '../../catalog/reading-signals.ts'
import type { ServedNames } from '../../catalog/served-catalog.ts'
import { suggestQuotedNames } from '../../text/nearest-name.ts'
import type { MetadataContext } from '../metadata-context.ts'

type RefNames = ServedNames & { readonly ref: string; readonly group?: string }

/**
 * Helps a caller who may read the repository and named an unknown ref: finds refs with similar names, and says where
 * all refs are listed. In version 1, where listing refs costs reads, no names are compared.
 */
export async function helpFindRef(
  { buildLinks }: Pick<MetadataContext, 'buildLinks'>,
  { deployment, org, repo, ref, group = '' }: RefNames,
  repository: Repository,
): Promise<RefHelp> {
  const see = buildLinks(deployment, org).repository(repo)
  const state = repository.lastState
  if (state?.formatVersion !== 2) return { hint: '', see }
  const { branches, tags } = await state.readRefs(makeReadingSignal())
  const names = [...branches.keys(), ...tags.keys()]
  const split = findSplitName(`${ref}/${group}/`, names)
  if (split !== undefined) {
    return {
      hint: `; did you mean ${JSON.stringify(split)}, which an address has as ${encodeURIComponent(split)}?`,
      see,
    }
  }
  return { hint: suggestQuotedNames(ref, names), see }
}

/**
 * Finds the ref whose name was written with an unencoded slash, so that its end was taken for the beginning of a group.
 */
function findSplitName(written: string, names: readonly string[]): string | undefined {
  return names.find((name) => name.includes('/') && ['/', '@'].some((end) => written.startsWith(name + end)))
}
