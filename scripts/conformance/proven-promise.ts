import type { Mutation } from '../mutants.ts'

/** A promise of the service, the test that proves it, and a mutation that the test must notice. */
export type ProvenPromise = {
  readonly promise: string
  /** The file is below `test/`. In the title of a test that is made in a loop, `…` stands for what differs. */
  readonly test: readonly [file: string, title: string]
  readonly mutation: Mutation
}

/** A section of docs/internals/conformance.md. */
export type PromiseSection = {
  readonly title: string
  /** Text above the table. */
  readonly introduction?: string
  readonly promises: Readonly<Record<string, Mutation>>
}

/** A section with the tests that prove its promises. */
export type ProvenSection = Omit<PromiseSection, 'promises'> & { readonly promises: readonly ProvenPromise[] }
