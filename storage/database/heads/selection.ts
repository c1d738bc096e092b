// Which branches and tags of a repository are watched.
import type { EventName } from '../tables.ts'

/** What receivers and streams want to hear of, and search indexes. `main` is always watched. */
export type WatchedSelection = {
  /** Patterns of `storage/globs`, sorted and each once. */
  readonly branches: readonly string[]
  readonly tags: boolean
}

/** The text that stands for a selection; null for `main` alone. */
export function writeSelection({ branches, tags }: WatchedSelection): string | null {
  return branches.length === 0 && !tags ? null : JSON.stringify({ branches, tags })
}

export function readSelection(text: string | null): WatchedSelection {
  // Only `writeSelection` writes it.
  return text === null ? mainAlone : (JSON.parse(text) as WatchedSelection)
}

export const mainAlone: WatchedSelection = { branches: [], tags: false }

/** Combines selections. Returns the same object where only `main` is selected. */
export function combineSelections(selections: readonly WatchedSelection[]): WatchedSelection {
  const [first = mainAlone, ...others] = selections.filter((one) => one !== mainAlone)
  if (others.length === 0) return first
  const branches = new Set(selections.flatMap((one) => one.branches))
  return { branches: [...branches].sort(), tags: selections.some(({ tags }) => tags) }
}

/** What a receiver or a stream with this filter wants to hear of. */
export function selectRefs(filter: {
  readonly events: readonly EventName[]
  readonly branches: readonly string[]
}): WatchedSelection {
  const branches = filter.branches.filter((glob) => glob !== 'main').sort()
  const tags = filter.events.some((name) => name === 'TagCreated' || name === 'TagDeleted')
  return branches.length === 0 && !tags ? mainAlone : { branches, tags }
}
