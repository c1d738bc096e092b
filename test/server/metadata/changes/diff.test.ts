// What changed between two snapshots: repositories written by official Icechunk, with what its own diff says.
import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Diff, HistoryPage } from '@floe/contract'
import { defaultLimits } from '@floe/storage/icechunk'
import { compareUtf8, openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { z } from 'zod'
import { visibleText } from '../../pages/markup.ts'
import { type ServerOptions, startServer } from '../../start-server.ts'

const histories = new URL('../../../fixtures/changes/', import.meta.url).pathname
const samples = new URL('../../../fixtures/repositories/', import.meta.url).pathname

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

/** Official Icechunk lists a node that replaced another one at its path as created, and the other one as deleted. */
function joinReplaced({ created, deleted, updated }: z.infer<typeof Nodes>): z.infer<typeof Nodes> {
  const replaced = created.filter((path) => deleted.includes(path))
  return {
    created: created.filter((path) => !replaced.includes(path)),
    deleted: deleted.filter((path) => !replaced.includes(path)),
    updated: [...new Set([...updated, ...replaced])].toSorted(compareUtf8),
  }
}

// Proves: between a snapshot and its descendant, all but replaced nodes are listed as in official Icechunk
t.test(
  'between a snapshot and its descendants, what changed is what official Icechunk says, in both versions',
  async (t) => {
    const { ask } = await startWithChanges(t)
    for (const [repo, pairs] of Object.entries(await readExpected())) {
      for (const { from, to, diff } of pairs) {
        const answer = await ask(`${repo}/${from}/${to}`)
        const expected = { ...diff, groups: joinReplaced(diff.groups), arrays: joinReplaced(diff.arrays) }
        t.strictSame(listPaths(answer), expected, `${repo} ${from} ${to}`)
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

// Proves: a node that replaced another one at its path is updated, with its differences from the other one
t.test('an array that was deleted and created again says what differs from the one before', async (t) => {
  const { server, ask } = await startWithChanges(t)
  const changes = {
    path: 'time',
    replaced: true,
    shape: [[4], [8]],
    data_type: ['int64', 'float64'],
    dimension_names: [['time'], ['t']],
    chunk_shape: [[2], [4]],
    fill_value: [0, -1.5],
  }
  for (const repo of ['v1', 'v2']) {
    for (const pair of ['s2/s3', 's1/s3', 'other/s3']) {
      const { arrays, chunks, counts } = await ask(`${repo}/${pair}`)
      t.match(arrays.updated.at(-1), changes, `${repo} ${pair}`)
      t.notOk(arrays.created.includes('time') || arrays.deleted.includes('time'))
      t.match(counts.arrays, { created: 0, deleted: 0, updated: arrays.updated.length })
      const written = chunks?.find(({ path }) => path === 'time')
      if (pair === 's2/s3') t.match(written, { before: { written: 2, total: 2 }, after: { written: 1, total: 2 } })
    }
    const page = visibleText(await (await server.get(`diff/${repo}/s2/s3`, { accept: 'text/html' })).text())
    t.match(page, 'Changes\n(1 deleted, 1 replaced, 1 with changed chunks)')
    t.match(
      page,
      '\n±\ntime\narray replaced, 1 chunk written or deleted, 2 of 2 → 1 of 2 written\nName\nBefore\nAfter\n',
    )
    t.match(page, '\nData type\nint64\nfloat64\n')
  }
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

// Proves: the nodes of two snapshots are compared if the first is not an ancestor of the second
t.test('where the first snapshot is not an ancestor, the nodes of both are compared', async (t) => {
  const { ask } = await startWithChanges(t)
  for (const repo of ['v1', 'v2']) {
    const answer = await ask(`${repo}/other/s3`)
    t.match(answer, { chunks: null, chunks_unavailable_reason: 'not_an_ancestor', counts: { chunks: null } })
    t.strictSame(listPaths(answer), {
      groups: { created: [], deleted: ['größe'], updated: [''] },
      arrays: { created: [], deleted: [], updated: ['sea/depth', 'time'] },
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

// Proves: the answer says when a transaction log is missing
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

t.test('the repositories that `npm start` serves have the logs of all their commits', async (t) => {
  const { server } = await startWithChanges(t, samples)
  for (const repo of ['weather', 'weather-v1', 'satellite']) {
    const { commits } = HistoryPage.parse(await (await server.get(`history/${repo}/main`)).json())
    const first = commits.findLast(({ parent_snapshot_id }) => parent_snapshot_id !== null)
    const answer = await server.get(`diff/${repo}/${first?.snapshot_id}/main`)
    t.match(await answer.json(), { chunks_unavailable_reason: null }, repo)
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
      detail: /more than 2 commits between the snapshots; this limit is fixed/,
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
