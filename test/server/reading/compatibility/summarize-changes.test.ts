// What the notification of a head move says about two snapshots in memory.
import { maxNotifiedChanges, type SchemaChangedDetails } from '@floe/contract'
import { decodeSnapshot, defaultLimits } from '@floe/storage/icechunk'
import { t } from 'tap'
import { answerDiff } from '../../../../server/reading/questions/answer-diff.ts'
import type { SchemaChangeSummary } from '../../../../server/reading/compatibility/summarize-changes.ts'
import { buildNodeId } from '../../../storage/repositories/icechunk/build-log.ts'
import { buildId, buildNode, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { writeArrayDocument } from '../../search/describe/array-document.ts'

type Nodes = Readonly<Record<string, string>>

const group = (attributes: object = {}) => JSON.stringify({ zarr_format: 3, node_type: 'group', attributes })
const array = (type = 'float32') => writeArrayDocument({}).replace('float32', type)

function build(number: number, nodes: Nodes) {
  const id = buildId(number)
  const described = Object.entries({ '': group(), ...nodes })
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, document], index) =>
      buildNode(`/${path}`, document.includes('"array"') ? 1 : 2, document, buildNodeId(index)),
    )
  const bytes = buildSnapshot({ id, nodes: described })
  return decodeSnapshot({ repository: 'memory', key: `snapshots/${id}`, bytes }, id, defaultLimits)
}

async function summarize(before: Nodes, after: Nodes) {
  const [one, other] = [await build(1, before), await build(2, after)]
  const sources = { before: one, after: other, logs: { kind: 'not-an-ancestor' } } as const
  const body = await answerDiff(sources, { kind: 'schema-change', from: one.id }, defaultLimits)
  const { changes, ...summary } = JSON.parse(Buffer.from(body).toString()) as SchemaChangeSummary
  return { ...summary, text: changes, changes: JSON.parse(changes) as SchemaChangedDetails['changes'] }
}

t.test('what nobody could open, and nobody touched, is not told', async (t) => {
  const unreadable = { bad: group(), 'bad/x': array('"never heard of"') }
  const before = { ...unreadable, good: group(), 'good/x': array() }
  const { verdict, changes, counts } = await summarize(before, { ...before, good: group({ title: 'new' }) })
  t.equal(verdict, 'compatible')
  t.strictSame(
    changes.map(({ group, kind }) => [group, kind]),
    [['good', 'group-attributes-changed']],
  )
  t.strictSame(counts, { breaking: 0, unknown: 0, compatible: 1, not_compared: 0 })
  const touched = await summarize(before, { ...before, bad: group({ title: 'new' }) })
  t.equal(touched.verdict, 'unknown')
  t.match(touched.words, /^bad: the dataset cannot be opened: /)
})

t.test('the worst of all groups comes first, and the rest is counted', async (t) => {
  const names = Array.from({ length: 60 }, (_, index) => `g${String(index).padStart(2, '0')}`)
  const write = (type: string, run: number) =>
    Object.fromEntries(
      names.flatMap((name, index) => [
        [name, group({ run })],
        [`${name}/x`, array(index < 8 ? 'int8' : type)],
      ]),
    )
  const { verdict, words, changes, counts } = await summarize(write('float32', 1), write('float64', 2))
  t.equal(verdict, 'breaking')
  // Without logs, it is unknown whether the stored values were written again.
  t.strictSame(counts, { breaking: 52, unknown: 52, compatible: 60, not_compared: 0 })
  t.equal(changes.length, maxNotifiedChanges)
  t.ok(changes.every(({ kind }) => kind === 'type-changed'))
  const first = names.slice(8, 13).map((name) => `${name}: x is float64, was float32`)
  t.equal(words, [...first, '47 more'].join('; '))
})

t.test('numbers keep their digits, and values that are too long are left out', async (t) => {
  const digits = '12345678901234567890123'
  const document = group({ count: 0, title: '' }).replace('"count":0', `"count":${digits}`)
  const long = document.replace('""', JSON.stringify('x'.repeat(200_000)))
  const { text, changes, counts } = await summarize({ a: group() }, { a: long })
  t.ok(text.includes(`"after":${digits}}`))
  t.strictSame(
    changes.map(({ attribute }) => attribute),
    ['count'],
  )
  t.strictSame(counts, { breaking: 0, unknown: 0, compatible: 2, not_compared: 0 })
})
