// What the page of changes shows, as the comparison of two snapshots gives it.
import type { JsonValue } from '@floe/storage/json'

/** A name and its value. */
type Named = readonly [name: string, value: JsonValue]

/** A name and its values before and after. */
type NamedValues = readonly [name: string, values: readonly [before: JsonValue, after: JsonValue]]

/** What differs in two documents of a node. */
export type ShownDocumentChanges =
  | {
      readonly attributes: {
        readonly created: readonly Named[]
        readonly deleted: readonly Named[]
        readonly updated: readonly NamedValues[]
      } | null
      /** Members of Zarr that the page has words for, and others. */
      readonly named: Readonly<Record<string, NamedValues[1]>>
      readonly others: readonly NamedValues[]
    }
  | { readonly unreadable: string }

/** The groups, or the arrays, that changed. Each list is sorted by the UTF-8 bytes of the paths, which have no leading slash. */
export type ShownChangedNodes = {
  readonly created: readonly string[]
  readonly deleted: readonly string[]
  /** `compare` compares the documents; it returns null for a node that is in one of the snapshots only. */
  readonly updated: readonly { readonly path: string; readonly compare: () => ShownDocumentChanges | null }[]
}

/** All changes. */
export type ShownChanges = {
  readonly groups: ShownChangedNodes
  readonly arrays: ShownChangedNodes
  readonly moves: readonly { readonly from: string; readonly to: string }[]
  /** Chunks that were written or deleted, by array; null when that is not known. */
  readonly chunks: readonly { readonly path: string; readonly count: number }[] | null
}
