import type { DatasetDict, DatasetInfo, DatasetKeys } from '@floe/contract'
import { t } from 'tap'
import { toDict, toInfo, toKeys } from '../../../../server/reading/datasets/views.ts'
import type { DecodedDataset } from '../../../../server/xarray/dataset.ts'
import { writeBody } from '../../../../storage/repositories/json/index.ts'
import { decodeArrays } from '../../xarray/zarr-group.ts'

const renderInfo = (dataset: DecodedDataset) => writeBody<DatasetInfo>(toInfo(dataset)).toString()
const renderKeys = (dataset: DecodedDataset) => writeBody<DatasetKeys>(toKeys(dataset)).toString()
const renderDict = (dataset: DecodedDataset) => writeBody<DatasetDict>(toDict(dataset)).toString()

const dataset = decodeArrays(
  {
    t: { type: 'int32', dimensions: ['t'], attributes: '{"units":"days since 2000-01-01","axis":"T"}' },
    v: {
      dimensions: ['t', 'größe'],
      shape: [3, 2],
      attributes: '{"scale_factor":0.5,"valid":2.0,"10":null,"2":[1e-5]}',
    },
    w: { type: { name: 'fixed_length_utf32', configuration: { length_bytes: 8 } }, dimensions: [] },
  },
  '{"title":"Größe","_xpublish_id":"mine"}',
)

t.test('dict lists coordinates, attributes, dimensions and data variables', async (t) => {
  t.equal(
    renderDict(dataset),
    '{"coords":{"t":{"dims":["t"],"attrs":{"axis":"T"},"dtype":"datetime64[ns]","shape":[3]}},' +
      String.raw`"attrs":{"title":"Gr\u00f6\u00dfe","_xpublish_id":"mine"},"dims":{"t":3,"gr\u00f6\u00dfe":2},` +
      String.raw`"data_vars":{"v":{"dims":["t","gr\u00f6\u00dfe"],"attrs":{"valid":2.0,"10":null,"2":[1e-05]},` +
      String.raw`"dtype":"float64","shape":[3,2]},` +
      `"w":{"dims":[],"attrs":{},"dtype":"<U2","shape":[]}}}`,
  )
})

t.test('a dimension without a name prints as null, as a key in quotes', async (t) => {
  const unnamed = decodeArrays({ v: { dimensions: [null, 'null'], shape: [3, 4] } })
  t.equal(renderInfo(unnamed).slice(0, 40), '{"dimensions":{"null":3,"null":4},"varia')
  t.match(renderDict(unnamed), '"dims":[null,"null"]')
})

t.test('sizes are exact at any magnitude', async (t) => {
  const dataset = decodeArrays({ v: { type: 'int8' } })
  const [variable] = dataset.variables
  if (variable === undefined) throw new Error('no variable')
  const size = 2n ** 60n + 1n
  const large = { ...dataset, dimensions: new Map([['x', size]]), variables: [{ ...variable, shape: [size] }] }
  t.match(renderInfo(large), '{"dimensions":{"x":1152921504606846977}')
  t.match(renderDict(large), '"shape":[1152921504606846977]')
})

t.test('an empty group answers in full', async (t) => {
  const empty = decodeArrays({}, '{"a":-0.0}')
  t.equal(renderInfo(empty), '{"dimensions":{},"variables":{},"global_attributes":{"a":-0.0}}')
  t.equal(renderKeys(empty), '[]')
  t.equal(renderDict(empty), '{"coords":{},"attrs":{"a":-0.0},"dims":{},"data_vars":{}}')
})
