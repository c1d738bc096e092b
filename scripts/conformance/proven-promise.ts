/** A promise of the service, its test, and a mutation of the source that the test must notice. */
export type ProvenPromise = {
  readonly promise: string
  /** The file is below `test/`. The title is the full title of a top-level test. */
  readonly test: readonly [file: string, title: string]
  /** The text occurs exactly once in the file. */
  readonly mutation: readonly [file: string, text: string, replacement: string]
}

/** A section of docs/internals/conformance.md. */
export type PromiseSection = {
  readonly title: string
  /** Text above the table. */
  readonly introduction?: string
  readonly promises: readonly ProvenPromise[]
}
