import { t } from 'tap'
import { readFacts } from '../../../server/self-description/read-facts.ts'
import { attributes } from '../pages/sample-dataset.ts'

const read = (...chain: readonly object[]) => readFacts(chain.map((one) => attributes(JSON.stringify(one))))

t.test('each fact is that of the nearest group that states it', async (t) => {
  const facts = read(
    { title: 'Wind', time_coverage_start: '2020-01-01' },
    { title: 'Forecasts', license: 'CC0-1.0', time_coverage_end: '2030-01-01' },
    { license: 'MIT', institution: 'Institute', keywords: 'a, b', geospatial_bounds: 'POINT (1 2)', doi: '10.1234/x' },
  )
  t.match(facts, {
    title: 'Wind',
    licence: { spdx: 'CC0-1.0' },
    institution: 'Institute',
    keywords: ['a', 'b'],
    doi: '10.1234/x',
    extent: { bbox: [2, 1, 2, 1], startsAt: Date.parse('2020-01-01'), endsAt: null },
  })
})

t.test('nothing is stated by nothing, and by values of other types', async (t) => {
  const nothing = {
    title: null,
    summary: null,
    keywords: [],
    licence: null,
    creators: [],
    institution: null,
    publisher: null,
    doi: null,
    extent: { bbox: null, startsAt: null, endsAt: null },
  }
  t.strictSame(read(), nothing)
  const hostile = {
    title: {},
    summary: 1,
    keywords: [null],
    license: [],
    creator_name: '  ',
    doi: '10.1/x',
    id: '10.x',
  }
  t.strictSame(read(hostile, { publisher_name: [1], institution: '' }), nothing)
})

t.test('lone surrogates are replaced', async (t) => {
  t.equal(readFacts([attributes('{"title":"\\ud800 wind"}')]).title, '\ufffd wind')
})
