// A search whose results have thousands of variables does not hold up the event loop.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from 'tap'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../storage/repositories/icechunk/build-object.ts'
import { writeArrayDocument } from './describe/array-document.ts'
import { serveConfig, writeConfig } from '../main/commands/floe-process.ts'
import { waitUntil } from '../wait-until.ts'
import { measuresTurns, readLongestTurn } from '../metadata/agents/read-longest-turn.ts'

const [groups, variables] = [100, 1_000]

function writeArray(variable: number): string {
  const long_name = `Air temperature of level ${variable}`
  return writeArrayDocument({ long_name, units: 'K', comment: 'c'.repeat(300) })
}

function buildFiles() {
  const group = JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: { summary: 's'.repeat(5_000) } })
  const arrays = Array.from({ length: variables }, (_, index) => writeArray(index))
  const names = Array.from({ length: groups }, (_, index) => `/g${String(index).padStart(3, '0')}`)
  const nodes = [
    buildNode('/', 2, group),
    ...names.flatMap((name) => [
      buildNode(name, 2, group),
      ...arrays.map((array, index) => buildNode(`${name}/v${String(index).padStart(4, '0')}`, 1, array)),
    ]),
  ]
  return { repo: Buffer.from(buildRepo()), snapshot: Buffer.from(buildSnapshot({ nodes, compression: 1 })) }
}

// Proves: a search does not hold up the event loop, however many variables its results have
t.test('a hundred results of a thousand variables each take no long turn of the event loop', async (t) => {
  const directory = t.testdir()
  const repository = join(directory, 'repositories/large')
  await mkdir(join(repository, 'snapshots'), { recursive: true })
  const { repo, snapshot } = buildFiles()
  await writeFile(join(repository, 'repo'), repo)
  await writeFile(join(repository, 'snapshots', buildId(1)), snapshot)
  await writeConfig(directory)
  const service = await serveConfig(t, directory, measuresTurns)
  const search = async (query: string, accept = 'application/json') => {
    const address = `${service.origin}/v1/services/tiles/acme/_meta/search?${query}`
    return (await fetch(address, { headers: { accept } })).text()
  }
  const ask = async () => JSON.parse(await search('limit=1')) as { total: number; index: { pending: number } }
  await waitUntil(async () => {
    const { total, index } = await ask()
    return total > 0 && index.pending === 0
  })
  const queries = ['limit=100', 'limit=100&q=air+temperature&facets=variable&facets=units', 'limit=100&q=te']
  for (const accept of ['application/json', 'text/html'])
    for (const query of queries) {
      const turns: { readonly longest: number; readonly sum: number }[] = []
      for (let count = 0; count < 5; count++) {
        await readLongestTurn(service)
        t.match(await search(query, accept), /g000/)
        turns.push(await readLongestTurn(service))
      }
      // Long turns of the service's own are in each of the searches. Those of a busy machine are not. A slow one takes
      // longer for all.
      const isDivided = turns.some(({ longest, sum }) => longest < Math.max(10, sum / 4))
      t.ok(isDivided, `${accept} ${query}: turns of the event loop took ${JSON.stringify(turns)} ms`)
    }
})
