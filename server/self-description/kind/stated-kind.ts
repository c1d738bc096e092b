import type { DatasetKind } from '@floe/contract/lists'

/** What metadata say that a dataset is. */
export type StatedKind = {
  readonly kind: DatasetKind
  /** For people, in a few words, such as `multiscale image, 3 levels, y and x in micrometer`. */
  readonly text: string
  /** The attribute that says so. */
  readonly attribute: string
}

/** A kind and its text. */
export type KindAndText = readonly [kind: DatasetKind, text: string]
