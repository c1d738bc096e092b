// Which branches and tags of a repository Floe follows.
import { type EventName, tagEventNames } from '@floe/contract/lists'
import { matchesSome } from '../../../globs.ts'

/** The branches and tags, besides `main`, that receivers and streams select, and that search indexes. */
export type RefSelection = {
  /** Patterns of `storage/globs`, sorted and each once. */
  readonly branches: readonly string[]
  /** Further patterns, which only anonymous callers select. What they match has a limit of its own. */
  readonly anonymous: readonly string[]
  readonly tags: boolean
}

/** Whether a selection has a branch besides `main`. */
export function selectsBranch({ branches, anonymous }: RefSelection, branch: string): boolean {
  return matchesSome(branches, branch) || matchesSome(anonymous, branch)
}

/** Texts of selections. Checks compare them often, and all repositories of an organisation can share a selection. */
const texts = new WeakMap<RefSelection, string | null>()

/** The text that stands for a selection; null for `main` alone. */
export function writeSelection(selection: RefSelection): string | null {
  const known = texts.get(selection)
  if (known !== undefined) return known
  const { branches, anonymous, tags } = selection
  const isMainAlone = branches.length === 0 && anonymous.length === 0 && !tags
  const text = isMainAlone ? null : JSON.stringify({ branches, anonymous, tags })
  texts.set(selection, text)
  return text
}

export function readSelection(text: string | null): RefSelection {
  if (text === null) return mainAlone
  // Only `writeSelection` writes it.
  const selection = JSON.parse(text) as RefSelection
  texts.set(selection, text)
  return selection
}

export const mainAlone: RefSelection = { branches: [], anonymous: [], tags: false }

/** Combines selections. Returns the same object where only `main` is selected. */
export function combineSelections(selections: readonly RefSelection[]): RefSelection {
  const [first = mainAlone, ...others] = selections.filter((selection) => selection !== mainAlone)
  if (others.length === 0) return first
  const branches = new Set(selections.flatMap((selection) => selection.branches))
  const anonymous = new Set(selections.flatMap((selection) => selection.anonymous))
  return {
    branches: [...branches].sort(),
    anonymous: [...anonymous].filter((glob) => !branches.has(glob)).sort(),
    tags: selections.some(({ tags }) => tags),
  }
}

/** The branches and tags that a receiver or a stream with this filter needs. */
export function selectRefs(filter: {
  readonly events: readonly EventName[]
  readonly branches: readonly string[]
  /** Whether the filter is that of an anonymous caller. Default: false. */
  readonly isAnonymous?: boolean
}): RefSelection {
  const branches = filter.branches.filter((glob) => glob !== 'main').sort()
  const tags = tagEventNames.some((name) => filter.events.includes(name))
  if (branches.length === 0 && !tags) return mainAlone
  return filter.isAnonymous ? { branches: [], anonymous: branches, tags } : { branches, anonymous: [], tags }
}
