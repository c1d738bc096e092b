import type { Schema } from '../check-value.ts'

/** A route of the contract, as it is called. */
export type Route<Answer> = {
  readonly method: string
  /** Path with `:names`. */
  readonly path: string
  /** Status of the success. */
  readonly status: number
  /** Media type of the answer's body; missing when it has none. */
  readonly mediaType?: string
  /** Schema of the answer's body; missing when it has none. */
  readonly answer?: Schema<Answer>
}
