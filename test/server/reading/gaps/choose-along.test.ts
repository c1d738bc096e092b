// Along which dimension gaps are listed when the request does not say.
import { t } from 'tap'
import { listArrayGaps } from '../../../../server/reading/gaps/array-gaps.ts'
import { buildArrays, type SampleArray } from './build-arrays.ts'

async function chooseAlong(arrays: readonly SampleArray[], path = 'g/v'): Promise<string | null | undefined> {
  const { open } = await buildArrays(arrays)
  return [...listArrayGaps(open(), { group: '' })].find(({ array }) => array.path === path)?.array.along
}

const variable = (grid: readonly number[], names?: readonly (string | null)[], path = 'g/v'): SampleArray => ({
  path,
  grid,
  ...(names && { names }),
  manifests: [],
})

const coordinate = (name: string, attributes: object, changes: Partial<SampleArray> = {}): SampleArray => ({
  path: `g/${name}`,
  grid: [4],
  names: [name],
  attributes,
  manifests: [],
  ...changes,
})

t.test('a time by its coordinate or its name comes first', async (t) => {
  const grid = [4, 4, 4]
  const names = ['x', 'step', 'y']
  const v = variable(grid, names)
  t.equal(await chooseAlong([v]), 'x')
  for (const attributes of [
    { units: 'hours since 2000-01-01' },
    { axis: 'T' },
    { standard_name: 'time' },
    { standard_name: 'forecast_reference_time' },
  ])
    t.equal(await chooseAlong([v, coordinate('step', attributes)]), 'step', JSON.stringify(attributes))
  for (const attributes of [{ units: 'hours' }, { units: 'nobody knows since when' }, { axis: 'X' }, { units: 4 }])
    t.equal(await chooseAlong([v, coordinate('step', attributes)]), 'x', JSON.stringify(attributes))
  for (const name of ['time', 'init_time', 'valid_time', 'forecast_reference_time', 'date', 'Time'])
    t.equal(await chooseAlong([variable(grid, ['x', name, 'time'])]), name)
  t.equal(await chooseAlong([variable(grid, ['x', 'time', 'step']), coordinate('step', { axis: 'T' })]), 'time')
})

t.test('only an array with the name of the dimension is its coordinate', async (t) => {
  const v = variable([4, 4], ['x', 'step'])
  const time = { axis: 'T' }
  t.equal(await chooseAlong([v, coordinate('step', time, { names: ['x'] })]), 'x')
  t.equal(await chooseAlong([v, coordinate('step', time, { grid: [4, 4], names: ['step', 'x'] })]), 'x')
  t.equal(await chooseAlong([v, coordinate('step', time, { path: 'step' })]), 'x', 'in another group')
  t.equal(await chooseAlong([v, coordinate('step', time, { path: 'g/step/v' })]), 'x', 'a group of this name')
  t.equal(await chooseAlong([v, coordinate('step', time, { document: { data_type: null } })]), 'x', 'is damaged')
  t.equal(
    await chooseAlong([variable([4, 4], ['x', 'step'], 'v'), coordinate('step', time, { path: 'step' })], 'v'),
    'step',
    'in the root',
  )
})

t.test('else the first dimension with more than one position is chosen', async (t) => {
  t.equal(await chooseAlong([variable([1, 4, 4], ['x', 'y', 'z'])]), 'y')
  t.equal(await chooseAlong([variable([1, 1], ['x', 'y'])]), 'x')
  t.equal(await chooseAlong([variable([1, 1], ['x', 'time'])]), 'time')
  t.equal(await chooseAlong([variable([1, 4])]), 'dim_1', 'dimensions without names')
  t.equal(await chooseAlong([variable([1, 4], ['x', null])]), 'dim_1')
  t.equal(await chooseAlong([variable([], [])]), null)
})

t.test('the dimension that a request names is that of the arrays that have it', async (t) => {
  const { open } = await buildArrays([variable([4, 4], ['x', 'step']), variable([4], ['time'], 'w')])
  const along = [...listArrayGaps(open(), { group: '', along: 'step' })].map(({ array }) => [array.path, array.along])
  t.strictSame(along, [
    ['g/v', 'step'],
    ['w', null],
  ])
})
