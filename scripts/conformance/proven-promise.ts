/** A promise of the service, the test that shows it, and a change of the source that breaks it and that the test must notice. */
export type ProvenPromise = {
  readonly promise: string
  /** The file lies below `test/`. The title is whole, and that of a test at the top of the file. */
  readonly test: readonly [file: string, title: string]
  /** The text stands in the file exactly once. */
  readonly mutation: readonly [file: string, text: string, replacement: string]
}

/** A section of docs/internals/conformance.md. */
export type PromiseSection = {
  readonly title: string
  /** What stands above the table. */
  readonly introduction?: string
  readonly promises: readonly ProvenPromise[]
}
