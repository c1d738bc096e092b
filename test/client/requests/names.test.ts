// Sends names that need encoding from the caller to the repository and back.
import { join } from 'node:path'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { readExpectedAnswers } from '../../server/expected-answers.ts'
import { fixtures, startServer } from '../../server/start-server.ts'
import { createTestClient } from '../create-test-client.ts'

const oddNames = "a b|a/b|a%2Fb|a\\b|%2e%2e|...|ü|u\u0308|q?x=1&y|h#x|100%|a+b|(it's) *!|🛰️|日本;v=1,2@:$|info".split(
  '|',
)

t.test('a repository with any name can be read by that name', async (t) => {
  const store = openLocalStore(join(fixtures, 'weather'))
  const server = await startServer(t, { sources: oddNames.map((name) => ({ kind: 'repository', name, store })) })
  const floe = createTestClient(server)
  const { branches, tags } = await readExpectedAnswers('weather')
  t.strictSame([...(await floe.repositories())].sort(), [...oddNames].sort())
  for (const repo of oddNames) {
    const refs = { branches: Object.keys(branches), tags: Object.keys(tags) }
    t.strictSame(await floe.refs({ repo }), refs, repo)
    t.strictSame(await floe.datasets({ repo, ref: 'main', group: 'wind/speed' }), ['wind/speed'], repo)
  }
  for (const repo of ['.', '..', ''])
    await t.rejects(floe.refs({ repo }), { name: 'TypeError', message: /^repo / }, repo)
})

t.test('branches and tags with any name can be read by that name', async (t) => {
  const { branches, tags, datasets } = await readExpectedAnswers('types')
  const floe = createTestClient(await startServer(t))
  // A branch goes before a tag of the same name.
  const heads = { ...tags, ...branches }
  t.ok(Object.keys(heads).length > 15)
  for (const [ref, head] of Object.entries(heads)) {
    if (ref === '..') {
      await t.rejects(floe.datasets({ repo: 'types', ref }), { name: 'TypeError' })
      continue
    }
    const byId = await floe.datasets({ repo: 'types', ref: head })
    t.ok(byId.every((group) => Object.hasOwn(datasets[head] ?? {}, group)))
    t.strictSame(await floe.datasets({ repo: 'types', ref }), byId, ref)
  }
  t.ok((await floe.datasets({ repo: 'weather', ref: 'feature/one' })).length > 0)
})

t.test('a group with any name gives what xarray gives for exactly this group', async (t) => {
  const { branches, datasets } = await readExpectedAnswers('types')
  const floe = createTestClient(await startServer(t))
  const all = Object.entries(datasets[branches['main'] ?? ''] ?? {})
  // The other groups differ in their values, and test/server/metadata/datasets/parity.test.ts reads them.
  const groups = all.filter(([group]) => /^(?:names|info|keys|dict)/.test(group))
  t.ok(groups.length > 20)
  for (const [group, texts] of groups) {
    const address = { repo: 'types', ref: 'main', group }
    if ('error' in texts) continue
    // Compare texts, because comparing objects fails for the variable called `__proto__`.
    for (const view of ['info', 'keys', 'dict'] as const) {
      t.equal(
        JSON.stringify(await floe[view](address)),
        JSON.stringify(parsePython(texts[view])),
        `${view} of ${group}`,
      )
    }
  }
})

/**
 * Parses Python's JSON, which can contain infinities and NaN. They are not valid JSON, and the service sends null for
 * them.
 */
function parsePython(text: string): unknown {
  return JSON.parse(text.replaceAll(/(?<=[:[,])(?:-?Infinity|NaN)(?=[,\]}])/g, 'null'))
}
