// What readers see of a dataset, as plain data.
import type { JsonObject, JsonValue } from '@floe/storage/json'

/** The state of a dataset. A group without arrays has no dimensions and no variables. */
export type DatasetState = ReadableState | UnreadableState

/**
 * A dataset that can be opened. What the earlier of two states leaves out is not compared, so that it can say only what
 * a reader relies on.
 */
export type ReadableState = {
  readonly dimensions: readonly DimensionState[]
  readonly variables: readonly VariableState[]
  /** Attributes of the group. */
  readonly attributes?: JsonObject
}

export type DimensionState = {
  /** Null for the dimension without a name. */
  readonly name: string | null
  readonly size?: bigint
  /** Whether a contract fixes the size, so that readers do not expect a longer dimension. */
  readonly isFixed?: boolean
  /** Whether it has a coordinate of its name. */
  readonly isIndexed?: boolean
}

export type VariableState = {
  readonly name: string
  /** Text of the decoded dtype, as `dict` shows it. */
  readonly type?: string
  readonly dimensions?: readonly (string | null)[]
  readonly role?: 'coordinate' | 'data'
  /** Without the attributes that decoding has consumed. */
  readonly attributes?: JsonObject
  /** The calendar of decoded times, the usual one of its synonyms, such as `noleap`; null for other values. */
  readonly calendar?: string | null
  readonly storage?: StorageState
}

/** How the values of a variable are stored. */
export type StorageState = {
  /** What determines the values of stored bytes: consumed attributes such as `scale_factor`, and codecs. */
  readonly decoding: JsonObject
  /** The value of chunks that were never written. */
  readonly fillValue: JsonValue
}

/** A dataset that cannot be opened. */
export type UnreadableState = {
  /** Why. */
  readonly unreadable: string
  /** Whether its documents exceed a limit of Floe, so that xarray may be able to open it. */
  readonly isTooLarge: boolean
  /** A hash of its documents: that of the group, and those of its arrays. */
  readonly documents: string
}

/**
 * What happened to the stored values of an array since the earlier state: it was replaced, some of its chunks were
 * written, or neither.
 */
export type Rewrite = 'replaced' | 'written' | 'untouched'

/** By variable. Without an entry it is unknown. */
export type Rewrites = ReadonlyMap<string, Rewrite>
