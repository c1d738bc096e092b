import { t } from 'tap'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { serveConfig, writeConfig } from '../../main/commands/floe-process.ts'
import { connectAgent } from './connect-agents.ts'
import { measuresTurns, readLongestTurn } from './read-longest-turn.ts'

const groups = ['a', 'b', 'c', 'd', 'e']

/** Attributes whose excerpts take long: each quote decides how what follows is read, and each entry may be shown. */
const attributes = { quotes: `"${'\\"'.repeat(5_400_000)}"`, texts: `[${'"\\"\\"",'.repeat(900_000)}0]` }

function buildFiles(attribute: string) {
  const document = `{"zarr_format":3,"node_type":"group","attributes":{"a":${attribute}}}`
  const nodes = ['', ...groups].map((group) => buildNode(`/${group}`, 2, group === '' ? undefined : document))
  return { repo: Buffer.from(buildRepo()), snapshots: { [buildId(1)]: Buffer.from(buildSnapshot({ nodes })) } }
}

t.test('an agent who asks about millions of quotes does not hold up the event loop', async (t) => {
  const repositories = { quotes: buildFiles(attributes.quotes), texts: buildFiles(attributes.texts) }
  const directory = t.testdir({ repositories })
  await writeConfig(directory)
  const service = await serveConfig(t, directory, measuresTurns)
  const url = `${service.origin}/v1/services/tiles/acme/_meta/mcp`
  const agent = await connectAgent['versions of 2025'](t, { url, headers: {} })
  for (const repo of Object.keys(repositories)) {
    const turns: { readonly longest: number; readonly sum: number }[] = []
    for (const group of groups) {
      await readLongestTurn(service)
      for (const part of ['', '/global_attributes/a', '/nothing']) {
        const answer = await agent.call('datasets_info', { repo, ref: 'main', group, part })
        t.equal(answer.isError ?? false, part === '/nothing')
      }
      t.notOk((await agent.call('dataset_schema', { repo, ref: 'main', group })).isError)
      turns.push(await readLongestTurn(service))
    }
    // Long turns of the service's own are in each of the groups. Those of a busy machine are not. A slow one takes
    // longer for all.
    const isDivided = turns.some(({ longest, sum }) => longest < Math.max(20, sum / 10))
    t.ok(isDivided, `${repo}: turns of the event loop took ${JSON.stringify(turns)} ms`)
  }
})
