import { t } from 'tap'
import { stemWord } from '../../../../server/search/form/stems.ts'
import { splitQuery, splitWords } from '../../../../server/search/form/words.ts'

t.test('names are split at underscores and humps, and after leading digits', (t) => {
  t.strictSame(splitWords('sea_surface_temperature'), ['sea', 'surface', 'temperature'])
  t.strictSame(splitWords('airTemp SSTMean'), ['air', 'temp', 'sst', 'mean'])
  t.strictSame(splitWords('t2m, u10, T2M, U10M'), ['t2m', 'u10', 't2m', 'u10m'])
  t.strictSame(splitWords('2m temperature'), splitWords('2 m Temperature'))
  t.strictSame(splitWords('wind/speed-max'), ['wind', 'speed', 'max'])
  t.end()
})

// Proves: names are found by their parts, regardless of case and accents
t.test('accents and case do not matter, in any script', (t) => {
  t.strictSame(splitWords('salinité'), splitWords('Salinite\u0301'))
  t.strictSame(splitWords('Météo ÅNGSTRÖM'), ['meteo', 'angstrom'])
  t.strictSame(splitWords('温度 температура'), ['温度', 'температура'])
  t.end()
})

t.test('inflected forms and the two spellings of English have the same stem', (t) => {
  for (const words of [
    ['wind', 'winds'],
    ['precipitation', 'precipitations'],
    ['analysis', 'analyses'],
    ['metre', 'meters', 'm'],
    ['gas', 'gases'],
    ['vapour', 'vapor'],
    ['centres', 'center'],
    ['currents', 'current'],
  ])
    t.equal(new Set(words.map(stemWord)).size, 1, words.join(' '))
  for (const name of ['tas', 'sst', 't2m', '温度']) t.equal(stemWord(name), name, 'a name is no English word')
  t.end()
})

t.test('a word is cut, and never between the halves of a character', (t) => {
  const [word = ''] = splitWords(`ax${'\u{20000}'.repeat(100)}`)
  t.ok(word.length <= 64 && word.isWellFormed())
  t.match(splitQuery(`ax${'\u{20000}'.repeat(100)} `).words, [{ value: word, isBeginning: false }])
  t.end()
})

t.test('the last word of a query is a beginning until something follows it', (t) => {
  const beginnings = (query: string) => splitQuery(query).words.map(({ isBeginning }) => isBeginning)
  t.strictSame(beginnings('sea temp'), [false, true])
  t.strictSame(beginnings('sea temp '), [false, false])
  t.strictSame(beginnings('sea "air temp"'), [false, false, false])
  t.strictSame(beginnings('sea t'), [false, false], 'a single letter is a whole word')
  t.end()
})

t.test('quotes make phrases, and an unpaired quote has no meaning', (t) => {
  t.match(splitQuery('"Air temperatures" K'), {
    words: [{ value: 'k' }, { value: 'air' }, { value: 'temperatures' }],
    phrases: [['air', stemWord('temperature')]],
  })
  t.strictSame(splitQuery('"air temp').phrases, [])
  t.strictSame(splitQuery('"air"').phrases, [], 'one word needs no neighbour')
  t.strictSame(splitQuery('"" " "'), { words: [], phrases: [] })
  t.end()
})

t.test('words after the 20th are ignored', (t) => {
  t.equal(splitQuery('x '.repeat(100)).words.length, 20)
  t.end()
})
