import { t } from 'tap'
import { makeChange } from '../../../../server/compatibility/change.ts'
import { type ShownComparison, verdictSection } from '../../../../server/pages/commits/verdict-section.ts'
import { visibleText } from '../markup.ts'

const noChanges = { breaking: 0, unknown: 0, compatible: 0 }

function show(comparison: Partial<ShownComparison>): string {
  const none = { verdict: 'identical', groups: [], counts: { changes: noChanges, notes: 0, notCompared: 0 } } as const
  return visibleText(verdictSection({ ...none, ...comparison }, '/json', '/help').toString())
}

t.test('the section begins with the verdict and lists what is not compatible', async (t) => {
  const text = show({
    verdict: 'breaking',
    groups: [
      {
        path: 'wind',
        changes: [
          makeChange('type-changed', 'breaking', { variable: 'u', before: 'float32', after: 'float64', widened: true }),
          makeChange('fill-value-changed', 'unknown', { variable: 'v', before: null, after: 'NaN', reason: 'no' }),
          makeChange('variable-added', 'compatible', { variable: 'w' }),
        ],
        notes: [{ dimension: 'x', size: 3n, parent: '', parentSize: 4n }],
      },
    ],
    counts: { changes: { breaking: 1, unknown: 1, compatible: 1 }, notes: 1, notCompared: 0 },
  })
  t.match(text, 'Breaks readers\n(1 breaking, 1 unknown, 1 compatible, 1 note)')
  t.match(text, 'breaking\nwind\nu is float64, was float32')
  t.match(text, 'unknown\nwind\nfill value of v is NaN, was null')
  t.match(text, 'dimension x has 3 elements here and 4 in root group, so xarray.open_datatree refuses the tree')
  t.notMatch(text, 'w is new')
})

t.test('states that are equal, and changes that are not shown, are said', async (t) => {
  t.match(show({}), 'Readers see no difference\n(no changes)')
  const changes = Array.from({ length: 150 }, (_, index) =>
    makeChange('variable-removed', 'breaking', { variable: `v${index}` }),
  )
  const counts = { changes: { ...noChanges, breaking: 20_000 }, notes: 0, notCompared: 7 }
  const text = show({ verdict: 'breaking', groups: [{ path: '', changes, notes: [] }], counts })
  t.match(text, '(20,000 breaking, 7 groups not compared)')
  t.match(text, '19,900 more are not shown.')
})
