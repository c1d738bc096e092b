import { t } from 'tap'
import { decodeArrays, decodeOne, refusal } from '../zarr-group.ts'

const since = 'since 2000-01-01'

t.test('bounds inherit missing attributes from their time variable', async (t) => {
  const noleap = `{"units":"days ${since}","calendar":"noleap","bounds":"b"}`
  const showBounds = (attributes: string, time = noleap) => {
    const b = decodeArrays({ b: { dimensions: ['x', 'nv'], attributes }, x: { attributes: time } }).variables.find(
      ({ name }) => name === 'b',
    )
    return { shown: b?.type.name, attributes: [...(b?.attributes.keys() ?? [])] }
  }
  t.strictSame(showBounds('{}'), { shown: 'object', attributes: [] })
  t.strictSame(showBounds(`{"units":"days ${since}"}`), { shown: 'object', attributes: [] })
  t.strictSame(showBounds('{"calendar":"standard"}'), { shown: 'datetime64[ns]', attributes: [] })
  t.strictSame(showBounds('{"units":""}'), { shown: 'int16', attributes: ['units', 'calendar'] })
  t.strictSame(showBounds('{"units":null}'), { shown: 'int16', attributes: ['units', 'calendar'] })
  t.strictSame(showBounds('{}', '{"units":"m","calendar":"noleap","bounds":"b"}'), { shown: 'int16', attributes: [] })
})

t.test('a "bounds" attribute that names no variable is ignored, and one that is no name is an error', async (t) => {
  const decodeBounds = (bounds: string) => decodeOne({ attributes: `{"units":"days ${since}","bounds":${bounds}}` })
  for (const bounds of ['"nowhere"', '5', 'null', '"v"'])
    t.strictSame(decodeBounds(bounds).attributeNames, ['bounds'], bounds)
  for (const bounds of ['["b"]', '{}']) t.throws(() => decodeBounds(bounds), refusal('its "bounds" is not a name'))
})
