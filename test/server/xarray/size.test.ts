import { t } from 'tap'
import { formatBytes, multiplySizes, sumBytes } from '../../../server/xarray/size.ts'
import { decodeArrays } from './zarr-group.ts'

t.test('sizes print in decimal units without fraction', async (t) => {
  const texts: readonly (readonly [bigint, string])[] = [
    [0n, '0B'],
    [999n, '999B'],
    [1000n, '1kB'],
    [1499n, '1kB'],
    [4_000_000n, '4MB'],
    [999_499n, '999kB'],
    [999_999n, '1000kB'],
    [7n * 10n ** 12n, '7TB'],
    [10n ** 18n, '1EB'],
    [10n ** 27n, '1000YB'],
  ]
  for (const [bytes, text] of texts) t.equal(formatBytes(bytes), text, String(bytes))
})

t.test('a half is rounded to the even neighbour', async (t) => {
  t.strictSame([500n, 1500n, 2500n, 3500n, 12_500_000n].map(formatBytes), ['500B', '2kB', '2kB', '4kB', '12MB'])
})

t.test('the total counts decoded elements of every variable', async (t) => {
  const dataset = decodeArrays({
    x: { type: 'int8' }, // 3
    packed: { attributes: '{"scale_factor":0.5}' }, // 3 * 8
    strings: { type: 'string' }, // 3 * 16
    objects: { type: 'bytes', dimensions: ['y', 'x'], shape: [2, 3] }, // 6 * 8
    scalar: { type: 'complex128', dimensions: [] }, // 16
  })
  t.equal(sumBytes(dataset), 3n + 24n + 48n + 48n + 16n)
})

t.test('a size that exceeds every float has a text of its own, where xarray overflows', async (t) => {
  const sizes = Array.from({ length: 20 }, () => 2n ** 62n)
  t.equal(multiplySizes(sizes.slice(0, 16)), 2n ** 992n)
  t.equal(multiplySizes(sizes), null)
  t.equal(multiplySizes([...sizes, 0n]), 0n)
  t.equal(multiplySizes([2n ** 63n], 0n), 0n)
  t.equal(formatBytes(null), 'more than 1.8e308 B')
  t.equal(formatBytes(2n ** 1024n - 1n), 'more than 1.8e308 B')
  const dimensions = sizes.map((_, axis) => `d${axis}`)
  const dataset = decodeArrays({ v: { type: 'int8', dimensions } })
  const [variable] = dataset.variables
  if (variable === undefined) throw new Error('no variable')
  t.equal(sumBytes({ ...dataset, variables: [{ ...variable, shape: sizes }] }), null)
})
