// Which chunks are not written: repositories of official Icechunk, and the chunks that it lists.
import { readFile } from 'node:fs/promises'
import { Gaps } from '@floe/contract'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { z } from 'zod'
import { countReads } from '../../catalog/count-reads.ts'
import { findNaively, listPositions } from '../../reading/gaps/naive-gaps.ts'
import { startServer } from '../../start-server.ts'

const fixture = new URL('../../../fixtures/gaps/', import.meta.url).pathname

/** The positions without a chunk, by version and array. */
const Expected = z.record(z.string(), z.record(z.string(), z.array(z.array(z.number()))))

const expected = Expected.parse(JSON.parse(await readFile(`${fixture}expected.json`, 'utf8')))

const versions = ['v1', 'v2'] as const

async function start(t: Test) {
  const { store, reads } = countReads(openLocalStore(fixture))
  const server = await startServer(t, { sources: [{ kind: 'scan', store }] })
  const ask = async (address: string) => Gaps.parse(await (await server.get(`gaps/${address}`)).json())
  const listManifests = () => reads.filter((key) => key.startsWith('manifests/'))
  return { server, ask, reads, listManifests }
}

for (const version of versions) {
  t.test(`each array has the gaps of the chunks that official Icechunk lists, in ${version}`, async (t) => {
    const { ask, reads } = await start(t)
    const { arrays, next, truncated } = await ask(`${version}/main`)
    t.strictSame([next, truncated], [null, false])
    t.strictSame(
      arrays.map(({ path }) => path),
      Object.keys(expected[version] ?? {}),
    )
    for (const array of arrays) {
      const grid = array.dimensions.map(({ positions }) => positions)
      const names = array.dimensions.map(({ name }) => name)
      const missing = new Set(expected[version]?.[array.path]?.map(String))
      const written = listPositions(grid).filter((chunk) => !missing.has(String(chunk)))
      const { profiles, ...found } = findNaively(grid, names, Math.max(0, names.indexOf(array.along ?? '')), written)
      t.match(array, array.along === null ? { chunks: found.chunks, gaps: [] } : found, array.path)
      t.match([array.reason, array.outside], [null, 0])
      for (const [axis, { profile }] of array.dimensions.entries()) t.strictSame(profile?.written, profiles[axis])
    }
    t.strictSame(
      reads.filter((key) => key.startsWith('chunks/')),
      [],
      'no chunk is read',
    )
  })
}

t.test('a lost run is a gap, and a lead time that no run has is a pattern', async (t) => {
  const { ask } = await start(t)
  const { arrays } = await ask('v2/main?group=forecast&path=**/temperature&along=init_time')
  t.match(arrays, [
    {
      along: 'init_time',
      chunks: { written: 298, total: 440 },
      last_written: 30,
      gaps: [
        { first: 7, last: 7, written: 0, total: 10 },
        { first: 12, last: 12, written: 8, total: 10 },
      ],
      patterns: [{ dimension: 'lead_time', first: 0, last: 0 }],
      dimensions: [{ profile: null }, { profile: null }],
    },
  ])
  const { arrays: guessed } = await ask('v2/main?path=forecast/temperature')
  t.match(guessed, [{ along: 'init_time', gaps: arrays[0]?.gaps }])
})

for (const version of versions) {
  t.test(`only the manifests that are not full are read, once, in ${version}`, async (t) => {
    const { ask, listManifests } = await start(t)
    const { arrays } = await ask(`${version}/main?path=hourly`)
    t.match(arrays, [
      {
        along: 'time',
        chunks: { written: 19_979, total: 20_000 },
        gaps: [
          { first: 250, last: 250, written: 19, total: 20 },
          { first: 731, last: 731, written: 0, total: 20 },
        ],
      },
    ])
    t.equal(listManifests().length, 2)
    await ask(`${version}/main?path=hourly&along=x`)
    t.equal(listManifests().length, 2)
  })
}

t.test('pages follow each other', async (t) => {
  const { server, ask, listManifests } = await start(t)
  const paths = new Array<string>()
  let after = ''
  for (let next: string | null = ''; next !== null;) {
    const page: Gaps = await ask(`v2/main?limit=2${after}`)
    paths.push(...page.arrays.map(({ path }) => path))
    next = page.next
    after = `&after=${encodeURIComponent(next ?? '')}`
    if (paths.length === 2) t.equal(listManifests().length, 0, 'the manifests of later arrays are not read')
  }
  t.strictSame(paths, Object.keys(expected['v2'] ?? {}))
  t.equal((await server.get('gaps/v2/main?group=none')).status, 404)
  t.equal((await server.get('gaps/v2/main?limit=1001')).status, 400)
})

t.test('a dimension that no array has is refused, because its name is misspelt', async (t) => {
  const { server, ask } = await start(t)
  const refused = await server.get('gaps/v2/main?group=forecast&along=inti_time')
  t.equal(refused.status, 400)
  t.match(await refused.json(), {
    detail: /^along: no array here has the dimension "inti_time"; they have .*"init_time"/,
  })
  t.equal((await server.get('gaps/v2/main?group=forecast&along=inti_time', { accept: 'text/html' })).status, 400)
  const { arrays } = await ask('v2/main?along=init_time')
  t.ok(
    arrays.some(({ along }) => along === null),
    'some arrays may lack it',
  )
  t.equal((await server.get('gaps/v2/main?path=none&along=init_time')).status, 200, 'there are no arrays to judge')
  const page = await ask('v2/main?limit=1&along=inti_time')
  t.match(page, { arrays: [{ along: null }] }, 'the arrays of other pages may have it')
  const last = await ask(`v2/main?after=${encodeURIComponent(page.next ?? '')}&along=inti_time`)
  t.match(last, { arrays: [{ along: null }], next: null })
})
