// The repository with the changes of datasets that official libraries wrote, whose branches a test moves.
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRepository } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import type { Test } from 'tap'
import { z } from 'zod'
import { writeRepo } from '../../../../../scripts/write-head.ts'

const samples = new URL('../../../../fixtures/compatibility/', import.meta.url)

const Expected = z.array(z.object({ from: z.string(), to: z.string(), verdict: z.string() }))

/**
 * A source with the repository `datasets`. Its commits have names and follow one another: `names` lists them, oldest
 * first. `main` is at the first of them.
 */
export async function openMovableDatasets(t: Test) {
  const directory = t.testdir()
  const repository = join(directory, 'datasets')
  await cp(new URL('datasets', samples), repository, { recursive: true })
  const { signal } = new AbortController()
  const state = await openRepository(openLocalStore(repository)).readState(signal)
  const { tags } = await state.readRefs(signal)
  if (state.main === null) throw new Error('the fixture has no main')
  const { commits } = await state.readHistory(state.main, { limit: 100, until: undefined, signal })
  // In the order that Icechunk keeps.
  const sorted = commits.toSorted((left, right) => (left.id < right.id ? -1 : 1))
  const indexOf = (id: string | null | undefined) => sorted.findIndex((commit) => commit.id === id)
  const index = (name: string) => indexOf(tags.get(name))
  const snapshots = sorted.map(({ id, parentId, message, writtenAt }) => {
    return { id, message, time: BigInt(writtenAt.getTime()) * 1_000n, parent: indexOf(parentId) }
  })
  const branches = new Map<string, number>()
  /** Makes a branch name a commit. */
  const point = async (branch: string, name: string) => {
    branches.set(branch, index(name))
    await writeRepo(repository, { snapshots, branches: [...branches] })
  }
  const names = commits.toReversed().flatMap(({ id, message }) => (tags.get(message) === id ? [message] : []))
  await point('main', names[0] ?? '')
  const expected = Expected.parse(JSON.parse(await readFile(new URL('expected.json', samples), 'utf8')))
  return {
    source: { kind: 'scan' as const, store: openLocalStore(directory) },
    directory: repository,
    names,
    point,
    findId: (name: string) => snapshots[index(name)]?.id ?? '',
    /** What the oracle over xarray says. */
    findVerdict: (from: string, to: string) => expected.find((one) => one.from === from && one.to === to)?.verdict,
  }
}
