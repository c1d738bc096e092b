import { defaultLimits, type ReaderLimits } from '@floe/storage/icechunk'
import { t } from 'tap'
import type { CatalogSource } from '../../../../server/catalog/sources/open-sources.ts'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { startServer } from '../../start-server.ts'

const head = buildId(1)
const root = '{"zarr_format":3,"node_type":"group","attributes":{}}'

/** A sound repository with a root group, a group and a tag. */
function makeRepository(): CatalogSource {
  const nodes = [buildNode('/', 2, root), buildNode('/wind', 2, root)]
  const store = new MemoryStore([
    [
      'repo',
      buildRepo({
        tags: [['v1', 0]],
        branches: [
          ['dev', 0],
          ['main', 0],
        ],
      }),
    ],
    [`snapshots/${head}`, buildSnapshot({ id: head, message: 'a message', nodes })],
  ])
  return { kind: 'repository', name: 'sound', store }
}

/** Limits that the repository exceeds, with what the answer says. */
const cases: readonly (readonly [limits: Partial<ReaderLimits>, path: string, detail: RegExp])[] = [
  [
    { maxObjectBytes: 50 },
    'discovery/sound',
    /larger than 50 bytes; to allow more, raise limits\.maxObjectBytes above 50/,
  ],
  [{ maxInflatedBytes: 50 }, 'discovery/sound/main', /more than 50 bytes; .* limits\.maxSnapshotBytes above 50/],
  [{ maxNodes: 1 }, 'discovery/sound/main', /more than 1 nodes; .* limits\.maxNodes above 1/],
  [{ maxRefs: 1 }, 'discovery/sound', /more than 1 branches; this limit is fixed/],
  [{ maxRefsBytes: 4 }, 'discovery/sound', /more than 4 bytes; this limit is fixed/],
  [{ maxRefNameBytes: 3 }, 'discovery/sound', /more than 3 bytes; this limit is fixed/],
  [{ maxSnapshots: 0 }, 'discovery/sound', /more than 0 snapshots; this limit is fixed/],
  [{ maxBlocks: 0 }, 'discovery/sound', /more than 0 blocks; this limit is fixed/],
  [{ maxPathBytes: 3 }, 'discovery/sound/main', /more than 3 bytes; this limit is fixed/],
  [{ maxPathDepth: 0 }, 'discovery/sound/main', /more than 0 segments; this limit is fixed/],
  [{ maxCommitBytes: 5 }, 'discovery/sound/main', /more than 5 bytes of text; this limit is fixed/],
]

for (const [limits, path, detail] of cases) {
  t.test(`a sound repository beyond ${Object.keys(limits).join()} is too large, not damaged`, async (t) => {
    const readerLimits = { ...defaultLimits, ...limits }
    const server = await startServer(t, { sources: [makeRepository()], readerLimits })
    const response = await server.get(path)
    t.equal(response.status, 422)
    t.match(await response.json(), { type: '/problems/repository-too-large', detail })
  })
}

t.test('within the limits the same repository is served', async (t) => {
  const server = await startServer(t, { sources: [makeRepository()] })
  t.strictSame(await (await server.get('discovery/sound')).json(), { branches: ['dev', 'main'], tags: ['v1'] })
  t.equal((await server.get('discovery/sound/main')).status, 200)
})

t.test('a version 1 repository with too many refs is too large, not a failing store', async (t) => {
  const ref = Buffer.from(JSON.stringify({ snapshot: head }))
  const store = new MemoryStore(['main', 'dev'].map((name) => [`refs/branch.${name}/ref.json`, ref] as const))
  const readerLimits = { ...defaultLimits, maxRefs: 1 }
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'old', store }], readerLimits })
  const response = await server.get('discovery/old')
  t.equal(response.status, 422)
  t.match(await response.json(), {
    type: '/problems/repository-too-large',
    detail: /more than 1 entries; this limit is fixed/,
  })
})
