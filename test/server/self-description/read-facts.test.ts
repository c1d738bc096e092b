import { t } from 'tap'
import { readFacts } from '../../../server/self-description/read-facts.ts'
import { readLicense } from '../../../server/self-description/read-license.ts'
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
    license: { spdxId: 'CC0-1.0' },
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
    license: null,
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

t.test('usual spellings of licenses are identifiers of SPDX', async (t) => {
  for (const [text, spdxId] of [
    ['CC-BY-4.0', 'CC-BY-4.0'],
    ['cc by 4.0', 'CC-BY-4.0'],
    ['CC BY-NC-SA 3.0', 'CC-BY-NC-SA-3.0'],
    ['https://creativecommons.org/licenses/by/4.0/', 'CC-BY-4.0'],
    ['http://www.creativecommons.org/licenses/by-sa/4.0/legalcode', 'CC-BY-SA-4.0'],
    ['https://creativecommons.org/publicdomain/zero/1.0/deed.en', 'CC0-1.0'],
    ['https://spdx.org/licenses/ODbL-1.0.html', 'ODbL-1.0'],
    ['https://opendatacommons.org/licenses/by/1-0/', 'ODC-By-1.0'],
    ['cc0', 'CC0-1.0'],
    ['Free for all', null],
    ['https://example.org/terms', null],
    ['MIT'.repeat(1_000), null],
  ] as const) {
    t.equal(readLicense(attributes(JSON.stringify({ license: text })))?.spdxId, spdxId, text.slice(0, 80))
  }
})

t.test('only an address without markup is the address of a license', async (t) => {
  const readAddress = (text: string) => readLicense(attributes(JSON.stringify({ rights: text })))?.address
  t.equal(readAddress('https://example.org/terms'), 'https://example.org/terms')
  for (const text of ['javascript:alert(1)', 'https://example.org/"><script>', 'https://', 'see https://example.org'])
    t.equal(readAddress(text), null, text)
})
