// Whether changes break readers: a repository that official libraries wrote, with the verdicts of an oracle over
// xarray.
import { readFile } from 'node:fs/promises'
import { Compatibility } from '@floe/contract'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { z } from 'zod'
import { visibleText } from '../../pages/markup.ts'
import { startServer } from '../../start-server.ts'

const samples = new URL('../../../fixtures/compatibility/', import.meta.url).pathname

const ExpectedChange = z.object({
  kind: z.string(),
  verdict: z.string(),
  variable: z.string().nullable(),
  dimension: z.string().nullable(),
  attribute: z.string().nullable(),
  widened: z.boolean(),
  moved_from: z.string().nullable(),
})
type ExpectedChange = z.infer<typeof ExpectedChange>
const Expected = z.array(
  z.object({
    from: z.string(),
    to: z.string(),
    verdict: z.string(),
    changes: z.record(z.string(), z.array(ExpectedChange)),
    notes: z.array(z.tuple([z.string(), z.string(), z.string()])),
  }),
)

async function start(t: Test) {
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(samples) }] })
  const fetch = async (from: string, to: string, query = '') =>
    server.get(`compatibility/datasets/${encodeURIComponent(from)}/${encodeURIComponent(to)}${query}`)
  const ask = async (from: string, to: string, query = '') => {
    const response = await fetch(from, to, query)
    t.equal(response.status, 200, `${from} to ${to}`)
    return Compatibility.parse(await response.json())
  }
  return { server, fetch, ask }
}

const sort = (changes: readonly ExpectedChange[]) => changes.map((change) => JSON.stringify(change)).toSorted()

/** What an answer says, in the form of the oracle. */
function summarize({ verdict, datasets }: Compatibility) {
  const changes = datasets
    .filter((one) => one.changes.length > 0)
    .map((one) => [one.group, sort(one.changes.map(toExpected))])
  const notes = datasets.flatMap(({ group, notes }) => notes.map(({ dimension, parent }) => [group, dimension, parent]))
  return { verdict, changes: Object.fromEntries(changes), notes }
}

const toExpected = ({
  kind,
  verdict,
  variable,
  dimension,
  attribute,
  widened,
  moved_from,
}: Change): ExpectedChange => ({
  kind,
  verdict,
  variable,
  dimension,
  attribute,
  widened: widened ?? false,
  moved_from: moved_from ?? null,
})
type Change = Compatibility['datasets'][number]['changes'][number]

// Proves: what breaks readers is what xarray makes of both snapshots, by the table of rules
t.test('the changes are those that an oracle over xarray finds', async (t) => {
  const { ask } = await start(t)
  const expected = Expected.parse(JSON.parse(await readFile(`${samples}expected.json`, 'utf8')))
  t.ok(expected.length > 8)
  for (const { from, to, verdict, changes, notes } of expected) {
    const sorted = Object.fromEntries(Object.entries(changes).map(([group, found]) => [group, sort(found)]))
    t.strictSame(summarize(await ask(from, to)), { verdict, changes: sorted, notes }, `${from} to ${to}`)
  }
})

t.test('an append that leaves a dimension of two sizes breaks readers, and the reason is that of xarray', async (t) => {
  const { ask } = await start(t)
  const answer = await ask('units of another spelling', 'appended a variable alone')
  t.match(answer, {
    verdict: 'breaking',
    datasets: [
      {
        group: '',
        verdict: 'breaking',
        changes: [{ kind: 'dataset-unreadable', category: 'structure', reason: /"time"/ }],
      },
    ],
    counts: {
      datasets: { breaking: 1, unknown: 0, compatible: 0 },
      changes: { breaking: 1, unknown: 0, compatible: 0 },
      notes: 0,
      not_compared: 0,
    },
    truncated: false,
  })
})

t.test('a snapshot is identical with itself', async (t) => {
  const { ask } = await start(t)
  for (const state of ['written', 'appended a variable alone'])
    t.match(await ask(state, state), { verdict: 'identical', datasets: [], counts: { notes: 0 }, truncated: false })
})

// Proves: a comparison of a group leaves out the changes elsewhere
t.test('a group restricts the answer to itself and the groups below it', async (t) => {
  const { ask, fetch } = await start(t)
  const whole = await ask('written', 'no group')
  t.strictSame(
    whole.datasets.map(({ group }) => group),
    ['', 'points'],
  )
  const part = await ask('written', 'no group', '?group=/points/')
  t.strictSame(part.datasets, whole.datasets.slice(1))
  t.match((await ask('written', 'other units', '?group=points')).verdict, 'identical')
  const unknown = await fetch('written', 'no group', '?group=nowhere')
  t.equal(unknown.status, 404)
  t.match(await unknown.json(), { type: '/problems/group-not-found' })
})

t.test('an unchanged answer is 304, and the other direction is another answer', async (t) => {
  const { server, fetch, ask } = await start(t)
  const etag = (await fetch('written', 'other units')).headers.get('etag') ?? ''
  const again = await server.get('compatibility/datasets/written/other%20units', { 'if-none-match': etag })
  t.equal(again.status, 304)
  t.not((await fetch('written', 'other units', '?group=points')).headers.get('etag'), etag)
  t.match((await ask('other units', 'written')).datasets[0], {
    changes: [{ kind: 'size-shrunk' }, { kind: 'type-changed' }],
  })
})

t.test('chunks are unknown where the first snapshot is no ancestor of the second', async (t) => {
  const { ask } = await start(t)
  t.match(await ask('written again', 'scale changed'), { verdict: 'breaking' })
  t.match(await ask('scale changed', 'written again'), {
    verdict: 'unknown',
    datasets: [{ changes: [{ kind: 'values-reinterpreted', verdict: 'unknown', reason: /unknown whether/ }] }],
  })
})

t.test('the page of what changed begins with the verdict', async (t) => {
  const { server } = await start(t)
  const response = await server.get('diff/datasets/another%20type/other%20units', { accept: 'text/html' })
  t.match(
    visibleText(await response.text()),
    'Breaks readers\n(1 breaking)\nbreaking\nroot group\nunits of t2m is degC, was K',
  )
})
