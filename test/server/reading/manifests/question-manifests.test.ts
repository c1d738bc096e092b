// What one question reads of manifests, in which form they are sent, and which of them are cached.
import { setImmediate } from 'node:timers/promises'
import type { ManifestChunks, ManifestId, Snapshot } from '@floe/storage/icechunk'
import { t } from 'tap'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import { manifestLimits, SnapshotManifests } from '../../../../server/reading/manifests/snapshot-manifests.ts'
import { decodeEncoded, encodeManifest } from '../../../../server/reading/manifests/encoded-manifest.ts'
import { type LoadedManifest, ManifestCache } from '../../../../server/reading/manifests/manifest-cache.ts'
import { QuestionManifests } from '../../../../server/reading/manifests/question-manifests.ts'
import { signal } from '../threads/open-pool.ts'

const id = (number: number) => `MANIFEST${number}` as ManifestId // nothing here looks into it

function build(bytes: number): ManifestChunks {
  const none = { chunks: 0, bytes: 0 }
  const bits = new Uint8Array(bytes).fill(0b101)
  const array = { node: 'node0000' as never, first: [3], size: [8 * bytes], bits }
  return { arrays: [{ ...array, native: { chunks: 2 * bytes, bytes: 7 }, inline: none, virtual: none }], sizeBytes: 1 }
}

t.test('a manifest is the same after it was sent, and the memory of a large one is shared', (t) => {
  for (const [bytes, isShared] of [
    [1, false],
    [100_000, true],
  ] as const) {
    const encoded = encodeManifest(build(bytes))
    t.equal(encoded.buffer instanceof SharedArrayBuffer, isShared)
    const [array] = decodeEncoded(structuredClone(encoded)).arrays
    const [built] = build(bytes).arrays
    t.strictSame({ ...array, bits: [...(array?.bits ?? [])] }, { ...built, bits: [...(built?.bits ?? [])] })
    t.ok(encoded.length < bytes + 300)
  }
  t.end()
})

/** Loads manifests with these sizes, each after those behind it. */
async function readSizes(sizes: readonly number[], chunks: ManifestChunks) {
  const begun: ManifestId[] = []
  const manifests = new QuestionManifests()
  const content = encodeManifest(chunks)
  const ids = sizes.map((_, index) => id(index))
  await manifests.read(ids, async (asked) => {
    begun.push(asked)
    const place = ids.indexOf(asked)
    for (let turn = place; turn < 8; turn++) await setImmediate()
    return { content, storedBytes: sizes[place] ?? 0 }
  })
  const kept = ids.filter((one) => typeof manifests.attached.get(one) !== 'string')
  return { begun: begun.length, kept: kept.length, last: manifests.attached.get(ids.at(-1) ?? id(0)), manifests }
}

t.test('a question reads manifests up to a size, in its order, whichever read ends first', async (t) => {
  const half = manifestLimits.storedBytes / 2
  t.match(await readSizes([half, half, 1, 1, 1, 1, 1, 1], build(1)), { kept: 2, last: 'too_many_manifests' })
  const { begun, kept } = await readSizes(
    Array.from({ length: 50 }, () => half),
    build(1),
  )
  t.equal(kept, 2)
  t.ok(begun <= 6, 'further ones are not even read')
  const large = build(manifestLimits.keptBytes / 4)
  t.match(await readSizes([1, 1, 1, 1, 1, 1], large), { kept: 4, last: 'too_many_manifests' })
})

t.test('what was read at one time counts the next time', async (t) => {
  const { manifests } = await readSizes([manifestLimits.storedBytes], build(1))
  await manifests.read([id(9)], () => Promise.reject(new Error('is not read')))
  t.equal(manifests.attached.get(id(9)), 'too_many_manifests')
  t.notOk(manifests.canPass)
})

t.test('a question can look up a limited number of manifests', (t) => {
  const source = new SnapshotManifests({} as Snapshot, new Map()) // it does not look into the snapshot
  for (let number = 0; number < manifestLimits.manifests; number++) source.find(id(number))
  t.equal(source.find(id(-1)), 'too_many_manifests')
  t.equal(source.find(id(0)), undefined, 'it is one of them')
  t.equal(source.missing.size, manifestLimits.manifests)
  t.end()
})

t.test('the cache keeps what cannot change', async (t) => {
  const cache = new ManifestCache(2_000, createMetrics())
  const contents = ['manifest_missing', 'manifest_damaged', 'manifest_too_large', encodeManifest(build(1))] as const
  for (const [number, content] of contents.entries()) {
    let loads = 0
    const load = async (): Promise<LoadedManifest> => {
      loads++
      return { content, storedBytes: 1 }
    }
    for (let time = 0; time < 2; time++)
      t.equal((await cache.read({ serial: 1 }, id(number), load, signal)).content, content)
    t.equal(loads, number < 2 ? 2 : 1, String(content))
  }
  t.ok(cache.size.bytes > 1_000 && cache.size.bytes <= cache.size.maxBytes)
})
