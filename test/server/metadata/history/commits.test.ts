// The history of a ref, on repositories that official Icechunk wrote.
import { HistoryPage } from '@floe/contract'
import { DocumentAllowance, parseJson, writeJson } from '@floe/storage/json'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { countReads } from '../../catalog/count-reads.ts'
import { fixtures, type RunningServer, startServer } from '../../start-server.ts'
import { readExpected, requireList, requireObject, requireText } from './read-expected.ts'

const server = await startServer(t)

const names = ['weather', 'weather-v1', 'types', 'types-v1', 'expired', 'expired-v1', 'reset', 'migrated', 'empty']

async function readPage(server: RunningServer, path: string): Promise<HistoryPage> {
  const response = await server.get(path)
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return HistoryPage.parse(await response.json())
}

const listIds = ({ commits }: HistoryPage) => commits.map(({ snapshot_id }) => snapshot_id)

// Proves: `/history/{repo}/{ref}` has the same commits, messages and metadata as official Icechunk
t.test('histories are those of official Icechunk, the metadata with the digits of its numbers', async (t) => {
  for (const name of names) {
    const expected = await readExpected(name)
    const snapshots = requireObject(expected.get('snapshots'))
    for (const [head, ids] of requireObject(expected.get('history'))) {
      const response = await server.get(`history/${name}/${head}`)
      const body = requireObject(parseJson(Buffer.from(await response.arrayBuffer()), new DocumentAllowance()))
      const commits = requireList(body.get('commits')).map(requireObject)
      t.equal(writeJson(commits.map((commit) => commit.get('snapshot_id') ?? null)), writeJson(ids), `${name} ${head}`)
      for (const commit of commits) {
        const wanted = requireObject(snapshots.get(requireText(commit.get('snapshot_id'))))
        for (const [member, official] of [
          ['parent_snapshot_id', 'parent'],
          ['commit_message', 'message'],
          ['metadata', 'metadata'],
        ] as const) {
          t.equal(writeJson(commit.get(member) ?? null), writeJson(wanted.get(official) ?? null))
        }
        const officialTime = requireText(wanted.get('writtenAt')).replace(/(\.\d{3})\d*Z$/, '$1Z')
        t.equal(commit.get('written_at'), officialTime)
      }
      t.match(
        { next: body.get('next'), missing: body.get('missing_snapshot_id'), found: body.get('until_found') },
        { next: null, missing: null, found: null },
      )
    }
  }
})

for (const name of ['weather', 'weather-v1']) {
  t.test(`${name}: pages follow one another`, async (t) => {
    const whole = await readPage(server, `history/${name}/dev`)
    const ids: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const page: HistoryPage = await readPage(server, `history/${name}/dev?limit=3${next && `&before=${next}`}`)
      t.ok(page.commits.length <= 3)
      ids.push(...listIds(page))
      next = page.next
    }
    t.strictSame(ids, listIds(whole))
    t.equal(ids.length, 8)
  })

  t.test(`${name}: a list stops before \`until\`, and says whether it was found`, async (t) => {
    const ids = listIds(await readPage(server, `history/${name}/main`))
    const [head = '', , third = '', , fifth = ''] = ids
    const untilThird = await readPage(server, `history/${name}/main?until=${third}`)
    t.strictSame(listIds(untilThird), ids.slice(0, 2))
    t.match(untilThird, { next: null, until_found: true })
    t.match(await readPage(server, `history/${name}/main?until=${head}`), { commits: [], until_found: true })
    t.match(await readPage(server, `history/${name}/main?before=${third}&until=${third}`), {
      commits: [],
      until_found: true,
    })
    t.match(await readPage(server, `history/${name}/main?before=${fifth}&until=${third}`), {
      commits: [],
      until_found: true,
    })
    const unknown = await readPage(server, `history/${name}/main?until=00000000000000000000`)
    t.strictSame(listIds(unknown), ids)
    t.match(unknown, { next: null, until_found: false })
    const far = await readPage(server, `history/${name}/main?limit=2&until=${fifth}`)
    t.match(far, { next: ids[1], until_found: name === 'weather' ? true : null }, 'version 1 has not read that far')
  })

  t.test(`${name}: what is not in the history, and what is malformed, is refused`, async (t) => {
    for (const [query, status, type] of [
      ['before=00000000000000000000', 404, 'commit-not-found'],
      ['before=x', 400, 'invalid-request'],
      ['until=1CECHNKREP0F1RSTCMTI', 400, 'invalid-request'],
      ['limit=0', 400, 'invalid-request'],
      ['limit=1001', 400, 'invalid-request'],
      ['limit=1e2', 400, 'invalid-request'],
    ] as const) {
      const response = await server.get(`history/${name}/main?${query}`)
      t.equal(response.status, status, query)
      t.match(await response.json(), { type: `/problems/${type}` }, query)
    }
    const [devHead] = listIds(await readPage(server, `history/${name}/dev`))
    t.equal((await server.get(`history/${name}/main?before=${devHead}`)).status, 404, 'a commit of another branch')
    t.equal((await server.get(`history/${name}/nothing`)).status, 404)
    t.equal((await server.get(`history/${name}/main?limit=1000`)).status, 200)
  })

  t.test(`${name}: an unchanged history is not sent again`, async (t) => {
    const server = await startServer(t, { refMaxAge: 60_000 })
    const identity = { 'accept-encoding': 'identity' }
    const first = await server.get(`history/${name}/main`, identity)
    const etag = first.headers.get('etag') ?? ''
    t.equal(first.headers.get('floe-snapshot'), JSON.parse(await first.clone().text()).commits[0].snapshot_id)
    for (const _ of [1, 2]) {
      const again = await server.get(`history/${name}/main`, { ...identity, 'if-none-match': etag })
      t.strictSame([again.status, again.headers.get('etag')], [304, etag])
    }
    t.not((await server.get(`history/${name}/main?limit=2`)).headers.get('etag'), etag)
    t.not((await server.get(`history/${name}/dev`)).headers.get('etag'), etag)
  })
}

t.test('version 2 reads only the `repo` object; version 1 reads each snapshot once', async (t) => {
  for (const name of ['weather', 'weather-v1']) {
    const { store, reads } = countReads(openLocalStore(fixtures).below(`${name}/`))
    const server = await startServer(t, { sources: [{ kind: 'repository', name, store }], refMaxAge: 60_000 })
    const pages = await Promise.all(Array.from({ length: 20 }, () => readPage(server, `history/${name}/main`)))
    const ids = new Set(pages.flatMap(listIds))
    const objects = name === 'weather' ? [] : [...ids].map((id) => `snapshots/${id}`)
    t.strictSame(reads.toSorted(), ['refs/branch.main/ref.json', 'repo', ...objects.toSorted()])
    const before = reads.length
    await readPage(server, `history/${name}/main?limit=2`)
    await readPage(server, `history/${name}/main?before=${[...ids][2]}`)
    t.equal(reads.length, before, 'nothing is read again')
  }
})
