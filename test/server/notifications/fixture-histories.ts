// What official Icechunk reads of the history of a fixture.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A fixture's directory, the head of its `main`, and the ids from there back. */
export type FixtureHistory = {
  readonly directory: string
  readonly head: string
  /** Newest first. */
  readonly ids: readonly string[]
  /** All stored snapshots, including those in no history. */
  readonly snapshots: Readonly<Record<string, { readonly message: string; readonly writtenAt: string }>>
}

/** The history of a fixture in `test/fixtures/repositories`. */
export async function readHistory(name: string): Promise<FixtureHistory> {
  const fixtures = new URL('../../fixtures/', import.meta.url)
  const expected = JSON.parse(await readFile(new URL(`expected/${name}.json`, fixtures), 'utf8'))
  const head = expected.branches.main
  const directory = fileURLToPath(new URL(`repositories/${name}`, fixtures))
  return { directory, head, ids: expected.history[head], snapshots: expected.snapshots }
}
