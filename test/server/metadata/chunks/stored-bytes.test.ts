// Bytes of chunks, on repositories of official Icechunk, which has listed their chunks by kind.
import { readFile } from 'node:fs/promises'
import { Completeness, type StoredBytes } from '@floe/contract'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { z } from 'zod'
import { openManifests } from '../../reading/manifests/open-manifests.ts'
import { startServer } from '../../start-server.ts'

const repositories = new URL('../../../fixtures/manifests/', import.meta.url).pathname

const Listed = z.array(z.unknown())
const Kinds = z.object({ native: Listed, inline: Listed, virtual: Listed })
const Expected = z.record(z.string(), z.record(z.string(), z.record(z.string(), Kinds)))
const expected = Expected.parse(JSON.parse(await readFile(`${repositories}expected.json`, 'utf8')))

const sources = [{ kind: 'scan', store: openLocalStore(repositories) }] as const

/** Bytes of one chunk of each array; the arrays are not compressed. Virtual chunks have different sizes. */
const chunkBytes: Readonly<Record<string, number>> = {
  native: 80,
  split: 80,
  sparse: 40,
  mixed: 20,
  inline: 8,
  scalar: 4,
}

const kinds = ['native', 'inline', 'virtual'] as const

function addUp(sums: readonly StoredBytes[], kind: (typeof kinds)[number]) {
  const all = sums.map((sum) => sum[kind])
  return {
    chunks: all.reduce((total, { chunks }) => total + chunks, 0),
    bytes: all.reduce((total, { bytes }) => total + bytes, 0),
  }
}

// Proves: `/completeness?bytes=true` adds up the bytes of native, inline and virtual chunks
t.test('bytes are those of native, inline and virtual chunks', async (t) => {
  const server = await startServer(t, { sources: [...sources] })
  for (const [repo, snapshots] of Object.entries(expected)) {
    for (const [id, arrays] of Object.entries(snapshots)) {
      const answer = Completeness.parse(await (await server.get(`completeness/${repo}/${id}?bytes=true`)).json())
      const sums: StoredBytes[] = []
      for (const { path, bytes } of answer.arrays) {
        if (!bytes) throw new Error(`the bytes of ${path} are unknown`)
        sums.push(bytes)
        for (const kind of kinds) {
          t.equal(bytes[kind].chunks, arrays[path]?.[kind].length, `${repo} ${path} ${kind}`)
          if (kind !== 'virtual') t.equal(bytes[kind].bytes, (chunkBytes[path] ?? 0) * bytes[kind].chunks, path)
        }
      }
      const virtual = answer.arrays.find(({ path }) => path === 'virtual')?.bytes?.virtual
      // The script of the fixture gives them 1,000 bytes, and one more each.
      t.equal(
        virtual?.bytes,
        Array.from({ length: 257 }, (_, number) => 1_000 + number).reduce((sum, more) => sum + more),
      )
      for (const kind of kinds) t.strictSame(answer.bytes?.[kind], addUp(sums, kind), kind)
    }
  }
})

t.test('bytes are told only on request, and unknown without a manifest', async (t) => {
  const server = await startServer(t, { sources: [...sources] })
  for (const query of ['', '?bytes=false']) {
    const answer = Completeness.parse(await (await server.get(`completeness/v2/main${query}`)).json())
    t.notOk('bytes' in answer || answer.arrays.some((array) => 'bytes' in array), query)
  }
  t.equal((await server.get('completeness/v2/main?bytes=yes')).status, 400)
  const { store } = await openManifests()
  for (const key of store.objects.keys()) if (key.startsWith('manifests/')) store.objects.delete(key)
  const lacking = await startServer(t, { sources: [{ kind: 'repository', name: 'runs', store }] })
  const answer = Completeness.parse(await (await lacking.get('completeness/runs/main?bytes=true')).json())
  t.equal(answer.bytes, null)
  t.ok(answer.arrays.some(({ bytes }) => bytes === null))
})
