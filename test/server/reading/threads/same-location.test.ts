import { t } from 'tap'
import type { CatalogSource } from '../../../../server/catalog/sources/open-sources.ts'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { writeArray } from '../hostile-documents.ts'
import { startServer } from '../../start-server.ts'

const head = buildId(1)

/** A repository with the same location and snapshot ids as all others here. Only its content differs. */
function makeRepository(owner: string): CatalogSource {
  const group = JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: { owner } })
  const array = writeArray({ data_type: '"int8"', attributes: JSON.stringify({ owner }) })
  const store = new MemoryStore([
    ['repo', buildRepo({ snapshots: [{ id: head, parent: -1, message: owner }], tags: [[owner, 0]] })],
    [
      `snapshots/${head}`,
      buildSnapshot({ id: head, message: owner, nodes: [buildNode('/', 2, group), buildNode(`/${owner}`, 1, array)] }),
    ],
  ])
  return { kind: 'repository', name: 'repo', store }
}

t.test('organisations whose repositories have the same location get their own answers', async (t) => {
  const owners = ['acme', 'other', 'third']
  const [first, ...others] = owners.map((owner) => [owner, [makeRepository(owner)]] as const)
  const server = await startServer(t, { sources: first?.[1] ?? [], otherOrgs: Object.fromEntries(others) })
  const paths = [
    '',
    'discovery/repo',
    'discovery/repo/main',
    'datasets/repo/main',
    'datasets/repo/main/info',
    'datasets/repo/main/keys',
  ]
  // The second round is answered from what the first one has left in caches.
  for (const round of ['first', 'second']) {
    for (const path of paths) {
      for (const owner of owners) {
        const address = `${server.origin}/v1/services/open/${owner}/_meta/${path}`
        for (const accept of ['application/json', 'text/html']) {
          const text = await (await fetch(address, { headers: { accept } })).text()
          const strangers = owners.filter((name) => name !== owner && text.includes(name))
          t.strictSame(strangers, [], `${round} ${path} of ${owner} as ${accept}`)
        }
      }
    }
  }
  const info = await fetch(`${server.origin}/v1/services/open/third/_meta/datasets/repo/main/info`)
  t.match(await info.text(), 'third')
})
