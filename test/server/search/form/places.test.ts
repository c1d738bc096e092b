import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import { makePlaceList, TermPlaces } from '../../../../server/search/match/term-places.ts'
import { maxShardDatasets, PlaceWriter, VariableCounts, writeNumber } from '../../../../server/search/form/places.ts'
import { checkProperty } from '../../../check-property.ts'

const places = fc
  .uniqueArray(fc.nat(300_000), { minLength: 1, maxLength: 20 })
  .map((all) => all.toSorted((a, b) => a - b))

t.test('the places of a term are read as they were written', async () => {
  const datasets = fc.array(fc.option(places, { nil: [] }), { maxLength: maxShardDatasets })
  await checkProperty(
    500,
    fc.property(datasets, (written) => {
      const writer = new PlaceWriter()
      for (const [dataset, ofDataset] of written.entries())
        if (ofDataset.length > 0) writer.add('w', dataset, ofDataset)
      const [[, hex] = ['', '']] = writer.write()
      const found = makePlaceList()
      const read = new TermPlaces(Buffer.from(hex, 'hex'), written.length)
      for (const [dataset, expected] of written.entries()) {
        read.read(dataset, found)
        const places = [...found.numbers.subarray(0, found.length)]
        assert.deepEqual([read.has(dataset), places], [expected.length > 0, expected])
      }
    }),
  )
})

t.test('the counts of a shard are read as they were written', (t) => {
  const bytes: number[] = []
  for (const count of [128, 127, 0, 250_000, 5, 4, 2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1]) writeNumber(bytes, count)
  const counts = new VariableCounts(Uint8Array.from(bytes))
  const read = [0, 1, 2].map((dataset) => [
    counts.countAll(dataset),
    counts.countData(dataset),
    counts.countMeasured(dataset),
  ])
  t.strictSame(read, [
    [128, 127, 0],
    [250_000, 5, 4],
    [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1],
  ])
  t.equal(counts.length, 3)
  t.end()
})
