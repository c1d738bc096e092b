// Reads the manifests in test/fixtures/manifests, which official Icechunk wrote, and compares with what it reads.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import {
  decodeManifest,
  type ManifestArray,
  openRepository,
  parseSnapshotId,
  type Repository,
  type Snapshot,
} from '../../../../../../storage/repositories/icechunk/index.ts'
import { openLocalStore } from '../../../../../../storage/repositories/objects/index.ts'
import { buildManifestId } from '../../build-manifest.ts'
import { listPositions } from './list-positions.ts'

type Kinds = Readonly<Record<'native' | 'inline' | 'virtual', readonly (readonly number[])[]>>

const directory = fileURLToPath(new URL('../../../../../fixtures/manifests', import.meta.url))
const { signal } = new AbortController()
// As scripts/fixtures/chunks/manifests.py writes it.
const expected = JSON.parse(readFileSync(`${directory}/expected.json`, 'utf8')) as Readonly<
  Record<'v1' | 'v2', Readonly<Record<string, Readonly<Record<string, Kinds>>>>>
>

/** The parts of an array, one for each of its manifests. */
async function readParts(repository: Repository, snapshot: Snapshot, path: string): Promise<ManifestArray[]> {
  const index = snapshot.nodes.findIndex(path) ?? -1
  const named = snapshot.chunkReferences.listManifests(index)
  if (typeof named === 'string') throw new TypeError(named)
  const parts: ManifestArray[] = []
  for (const { id, storedBytes, references, isShared, ranges } of named) {
    const file = await repository.readManifestFile(id, signal)
    const { arrays } = await decodeManifest(file, id)
    const [part, ...others] = arrays
    if (part === undefined) throw new TypeError(`${id} has no references`)
    t.equal(file.bytes.length, storedBytes)
    t.equal(part.native.chunks + part.inline.chunks + part.virtual.chunks, references)
    t.strictSame(
      { isShared, others, node: part.node },
      { isShared: false, others: [], node: snapshot.nodes.readId(index) },
    )
    for (const [axis, [first, end]] of ranges.entries())
      t.strictSame([part.first[axis], (part.first[axis] ?? 0) + (part.size[axis] ?? 0)], [first, end], 'a tight range')
    parts.push(part)
  }
  return parts
}

/** The bytes of all chunks of an array. */
const chunkBytes: Readonly<Record<string, (chunks: number) => number>> = {
  native: (chunks) => 80 * chunks,
  split: (chunks) => 80 * chunks,
  inline: (chunks) => 8 * chunks,
  scalar: (chunks) => 4 * chunks,
  empty: () => 0,
  // Two of them are virtual.
  mixed: (chunks) => 20 * (chunks - 2) + 2_001,
  sparse: (chunks) => 40 * chunks,
  virtual: (chunks) => 1_000 * chunks + (chunks * (chunks - 1)) / 2,
}

for (const version of ['v1', 'v2'] as const) {
  const repository = openRepository(openLocalStore(`${directory}/${version}`))

  t.test(`${version}: positions and kinds of chunks are those of the official library`, async (t) => {
    for (const [id, arrays] of Object.entries(expected[version])) {
      const snapshot = await readSnapshot(repository, id)
      for (const [path, kinds] of Object.entries(arrays)) {
        const parts = await readParts(repository, snapshot, path)
        const all = [...kinds.native, ...kinds.inline, ...kinds.virtual]
        t.strictSame(sortPositions(parts.flatMap(listPositions)), sortPositions(all), `positions of ${path} in ${id}`)
        for (const kind of ['native', 'inline', 'virtual'] as const) {
          const chunks = parts.reduce((sum, part) => sum + part[kind].chunks, 0)
          t.equal(chunks, kinds[kind].length, `${kind} chunks of ${path}`)
        }
        const bytes = parts.reduce((sum, part) => sum + part.native.bytes + part.inline.bytes + part.virtual.bytes, 0)
        t.equal(bytes, chunkBytes[path]?.(all.length), `bytes of ${path}`)
      }
    }
  })

  t.test(`${version}: a manifest that does not exist is named`, async (t) => {
    const absent = buildManifestId(9)
    const error = { name: 'MissingObjectError', key: `manifests/${absent}` }
    await t.rejects(repository.readManifestFile(absent, signal), error)
  })

  t.test(`${version}: a split array has a manifest for each range`, async (t) => {
    const [, last = ''] = Object.keys(expected[version])
    const { nodes, chunkReferences } = await readSnapshot(repository, last)
    const named = chunkReferences.listManifests(nodes.findIndex('split') ?? -1)
    const parts =
      typeof named === 'string'
        ? []
        : named.map(({ references, ranges }) => `${ranges[0]?.join(' to ')}: ${references}`)
    t.strictSame(parts.sort(), ['0 to 3: 8', '11 to 12: 2', '3 to 6: 12', '6 to 9: 12'])
  })
}

async function readSnapshot(repository: Repository, text: string): Promise<Snapshot> {
  const id = parseSnapshotId(text)
  if (id === undefined) throw new TypeError(text)
  return repository.readSnapshot(id, signal)
}

function sortPositions(positions: readonly (readonly number[])[]): string[] {
  return positions.map((position) => position.join()).sort()
}
