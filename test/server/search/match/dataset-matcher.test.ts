// A search as a filter of datasets finds what the search of the index finds.
import assert from 'node:assert/strict'
import { noLicence, type StoredSearch } from '@floe/contract'
import fc from 'fast-check'
import { t } from 'tap'
import { DatasetMatcher } from '../../../../server/search/match/dataset-matcher.ts'
import { parseConditions } from '../../../../server/search/match/parse-conditions.ts'
import { checkProperty } from '../../../check-property.ts'
import { openDatabase } from '@floe/storage/database'
import { describeMadeUp, indexRepository, type MadeUpDataset, search } from '../find/indexed-corpus.ts'

/** Few words, so that searches find something: inflected, joined, accented and in digits. */
const word = fc.constantFrom(
  'wind',
  'winds',
  'Wind_speed',
  'airTemp',
  'temp',
  't2m',
  '2m',
  'era5',
  'Météo',
  'metre',
  'm',
)
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const units = fc.constantFrom('K', 'm/s', 'm s-1', 'degC', 'celsius')
const degrees = fc.integer({ min: -180, max: 360 })
const date = fc.integer({ min: 1, max: 28 }).map((day) => `2099-01-${String(day).padStart(2, '0')}`)

const extent = fc.record(
  {
    geospatial_lon_min: degrees.map(String),
    geospatial_lat_min: fc.integer({ min: -90, max: 0 }).map(String),
    geospatial_lon_max: degrees.map(String),
    geospatial_lat_max: fc.integer({ min: 0, max: 90 }).map(String),
    time_coverage_start: date,
    time_coverage_end: date,
  },
  { requiredKeys: [] },
)
const texts = fc.record(
  {
    title: text,
    summary: text,
    keywords: word,
    institution: word,
    license: fc.constantFrom('CC BY 4.0', 'free'),
    note: text,
  },
  { requiredKeys: [] },
)
const variable = fc.record({ long_name: text, standard_name: word, units, comment: text }, { requiredKeys: [] })

const dataset: fc.Arbitrary<Omit<MadeUpDataset, 'path'>> = fc
  .tuple(texts, extent, fc.dictionary(word, variable, { maxKeys: 4 }), fc.subarray(['wind', 'temp', 'm']))
  .map(([ofTexts, ofExtent, variables, coordinates]) => ({
    attributes: { ...ofTexts, ...ofExtent },
    variables,
    coordinates,
    sizes: Object.fromEntries(coordinates.map((name) => [name, 2n])),
  }))

const corpus = fc
  .array(dataset, { minLength: 1, maxLength: 12 })
  .map((datasets) => datasets.map((one, index): MadeUpDataset => ({ ...one, path: `group-${index}/wind${index % 3}` })))

const values = <Value extends string>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: 1, maxLength: 3 })
const query: fc.Arbitrary<string> = fc
  .tuple(text, fc.constantFrom('', ' ', '.', '"'), fc.nat(3))
  .map(([words, end, cut]) => (end === '"' ? `"${words}"` : words.slice(0, Math.max(words.length - cut, 1)) + end))
const box = fc
  .tuple(degrees, fc.integer({ min: -90, max: 90 }), degrees, fc.integer({ min: -90, max: 90 }))
  .map(([west, south, east, north]) => [west, Math.min(south, north), east, Math.max(south, north)].join(','))
const period = fc.tuple(date, date).map(([a, b]) => (a < b ? `${a}/${b}` : `${b}/..`))

const storedMembers = {
  q: query,
  variable: values(word),
  standard_name: values(word),
  units: values(units),
  dimension: values(word),
  dtype: values(fc.constantFrom('float32', 'int8')),
  institution: values(word),
  keyword: values(word),
  licence: values(fc.constantFrom('CC-BY-4.0', 'free', noLicence)),
  kind: values(fc.constantFrom('grid', 'mesh')),
  attribute: values(word.map((value) => `institution=${value}`)),
  bbox: box,
  time: period,
}

const stored: fc.Arbitrary<StoredSearch> = fc.record(storedMembers)

/** Few conditions, because many together find nothing. */
const fewConditions = fc
  .tuple(stored, fc.subarray(Object.keys(storedMembers), { minLength: 1, maxLength: 2 }))
  .map(([search, kept]): StoredSearch =>
    Object.fromEntries(Object.entries(search).filter(([name]) => kept.includes(name))),
  )

// Proves: a search of a receiver finds a dataset if and only if the search route finds it
t.test('a stored search decides about each dataset as the search of the index does', async (t) => {
  let [found, searched] = [0, 0]
  await checkProperty(
    500,
    fc.asyncProperty(corpus, fc.array(fewConditions, { minLength: 1, maxLength: 8 }), async (datasets, searches) => {
      const db = await openDatabase('sqlite::memory:')
      try {
        await indexRepository(db, 'acme', 'era5-wind', datasets)
        for (const conditions of searches) {
          let isRefused = false
          const parsed = parseConditions(conditions, () => (isRefused = true))
          if (isRefused) continue
          const matcher = new DatasetMatcher(parsed)
          const matching = datasets.filter((one) => matcher.matches(describeMadeUp('era5-wind', one)))
          const { results } = await search(db, { ...conditions, limit: 100 })
          const expected = results.map(({ group }) => group)
          assert.deepEqual(matching.map(({ path }) => path).sort(), expected.sort(), JSON.stringify(conditions))
          searched += datasets.length
          found += matching.length
        }
      } finally {
        await db.destroy()
      }
    }),
  )
  t.ok(found > searched / 50 && found < searched / 2, `${found} of ${searched} datasets were found`)
})
