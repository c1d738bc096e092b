// What changed between two snapshots: repositories written by official Icechunk, with what its own diff says.
import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Diff } from '@floe/contract'
import { defaultLimits } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { z } from 'zod'
import { type ServerOptions, startServer } from '../start-server.ts'

const histories = new URL('../../fixtures/changes/', import.meta.url).pathname

const Paths = z.array(z.string())
const Nodes = z.object({ created: Paths, deleted: Paths, updated: Paths })
const Expected = z.record(
  z.string(),
  z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      diff: z.object({
        groups: Nodes,
        arrays: Nodes,
        moved: z.array(z.tuple([z.string(), z.string()])),
        chunks: z.record(z.string(), z.number()),
      }),
    }),
  ),
)

async function readExpected() {
  return Expected.parse(JSON.parse(await readFile(join(histories, 'expected.json'), 'utf8')))
}

async function startWithChanges(t: Test, directory = histories, options: ServerOptions = {}) {
  const server = await startServer(t, { ...options, sources: [{ kind: 'scan', store: openLocalStore(directory) }] })
  return {
    server,
    ask: async (address: string) => {
      const response = await server.get(`diff/${address}`)
      t.equal(response.status, 200, address)
      return Diff.parse(await response.json())
    },
  }
}

/** The lists of an answer as the official library has them. Its moves are not in the order in which they were made. */
function listPaths({ groups, arrays, moved, chunks }: Diff) {
  const nodesOf = ({ created, deleted, updated }: Diff['groups']) => ({
    created,
    deleted,
    updated: updated.map(({ path }) => path),
  })
  return {
    groups: nodesOf(groups),
    arrays: nodesOf(arrays),
    moved: moved.map(({ from, to }) => [from, to]).toSorted((one, other) => (String(one) < String(other) ? -1 : 1)),
    chunks: chunks && Object.fromEntries(chunks.map(({ path, count }) => [path, count])),
  }
}

t.test(
  'between a snapshot and its descendants, what changed is what official Icechunk says, in both versions',
  async (t) => {
    const { ask } = await startWithChanges(t)
    for (const [repo, pairs] of Object.entries(await readExpected())) {
      for (const { from, to, diff } of pairs) {
        const answer = await ask(`${repo}/${from}/${to}`)
        t.strictSame(listPaths(answer), diff, `${repo} ${from} ${to}`)
        t.match(answer, { chunks_unavailable_reason: null, truncated: false })
      }
    }
  },
)

t.test('an updated node says what differs in its document, and nothing else', async (t) => {
  const { server, ask } = await startWithChanges(t)
  const { groups, arrays } = await ask('v2/s1/s2')
  t.strictSame(groups.updated, [
    {
      path: '',
      attributes: { created: { license: 'CC0-1.0' }, deleted: { title: 'Sea' }, updated: { version: [1, 1] } },
    },
  ])
  t.strictSame(
    arrays.updated.map(({ attributes: _, ...rest }) => rest),
    [
      {
        path: 'sea/depth',
        shape: [
          [4, 4],
          [6, 4],
        ],
      },
    ],
  )
  const text = await (await server.get('diff/v2/s1/s2')).text()
  t.match(text, '"version":[1,1.0]', 'numbers are spelled as they are stored')
  t.match(text, '"count":[1152921504606846976,1152921504606846977]', 'and have all their digits')
})

t.test('moves are listed one by one in the order in which they were made', async (t) => {
  const { ask } = await startWithChanges(t)
  t.strictSame((await ask('v2/s3/s5')).moved, [
    { from: 'sea', to: 'ocean' },
    { from: 'sea/depth', to: 'ocean/depth' },
    { from: 'ocean/depth', to: 'depth' },
  ])
})

t.test('between a snapshot and itself nothing changed', async (t) => {
  const { ask } = await startWithChanges(t)
  for (const repo of ['v1', 'v2']) {
    const nothing = { created: [], deleted: [], updated: [] }
    t.match(await ask(`${repo}/main/main`), {
      groups: nothing,
      arrays: nothing,
      moved: [],
      chunks: [],
      chunks_unavailable_reason: null,
    })
  }
})

t.test('where the first snapshot is not an ancestor, the nodes of both are compared', async (t) => {
  const { ask } = await startWithChanges(t)
  for (const repo of ['v1', 'v2']) {
    const answer = await ask(`${repo}/other/s3`)
    t.match(answer, { chunks: null, chunks_unavailable_reason: 'not_an_ancestor', counts: { chunks: null } })
    t.strictSame(listPaths(answer), {
      groups: { created: [], deleted: ['größe'], updated: [''] },
      arrays: { created: ['time'], deleted: ['time'], updated: ['sea/depth'] },
      moved: [],
      chunks: null,
    })
    t.match(answer.groups.updated, [{ attributes: { deleted: { title: 'Other' } } }])
  }
  const back = await ask('v2/s5/s3')
  t.strictSame(listPaths(back).moved, [
    ['depth', 'sea/depth'],
    ['ocean', 'sea'],
  ])
})

t.test('without the log of a commit between, the nodes are compared, and the answer says so', async (t) => {
  const directory = t.testdir()
  await cp(histories, directory, { recursive: true })
  for (const repo of ['v1', 'v2']) await rm(join(directory, repo, 'transactions'), { recursive: true })
  const { ask } = await startWithChanges(t, directory)
  for (const repo of ['v1', 'v2']) {
    const answer = await ask(`${repo}/s1/s2`)
    t.match(answer, { chunks: null, chunks_unavailable_reason: 'transaction_log_missing' })
    t.strictSame(listPaths(answer).arrays, { created: [], deleted: [], updated: ['sea/depth'] })
  }
})

t.test('more commits than the limit are refused with the limit', async (t) => {
  const limits = { ...defaultLimits, maxRangeCommits: 2 }
  const { server } = await startWithChanges(t, histories, { readerLimits: limits })
  for (const repo of ['v1', 'v2']) {
    t.equal((await server.get(`diff/${repo}/s1/s3`)).status, 200)
    const refused = await server.get(`diff/${repo}/s0/s3`)
    t.equal(refused.status, 413)
    t.match(await refused.json(), {
      type: '/problems/range-too-long',
      detail: /more than 2 commits between the snapshots; to allow more, raise limits.maxDiffCommits above 2/,
    })
  }
})

t.test('a ref that does not exist is not found, on either side', async (t) => {
  const { server } = await startWithChanges(t)
  for (const address of ['v2/nowhere/main', 'v2/main/nowhere', 'v1/nowhere/main', 'v1/main/nowhere']) {
    const response = await server.get(`diff/${address}`)
    t.equal(response.status, 404, address)
    t.match(await response.json(), { type: '/problems/ref-not-found', detail: /"nowhere"/ })
  }
})

t.test('an answer has a tag of both snapshots, and a caller who has it gets 304', async (t) => {
  const { server } = await startWithChanges(t)
  const identity = { 'accept-encoding': 'identity' }
  const first = await server.get('diff/v2/s1/main', identity)
  const { to_snapshot_id: to } = Diff.parse(await first.json())
  t.equal(first.headers.get('floe-snapshot'), to)
  const etag = first.headers.get('etag') ?? ''
  t.equal((await server.get('diff/v2/s1/main', { ...identity, 'if-none-match': etag })).status, 304)
  t.equal(
    (await server.get(`diff/v2/s1/${to}`, identity)).headers.get('etag'),
    etag,
    'whatever the snapshots are called',
  )
  t.not((await server.get('diff/v2/s2/main', identity)).headers.get('etag'), etag)
  t.not((await server.get('diff/v2/main/s1', identity)).headers.get('etag'), etag)
})
