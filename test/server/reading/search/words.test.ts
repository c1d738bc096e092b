import { t } from 'tap'
import { addWords, splitQuery, writeWords } from '../../../../server/reading/search/words.ts'

function listWords(text: string): readonly string[] {
  const words = new Set<string>()
  addWords(words, text)
  return [...words]
}

t.test('names are kept whole and split at underscores and humps', (t) => {
  t.strictSame(listWords('sea_surface_temperature'), ['sea_surface_temperature', 'sea', 'surface', 'temperature'])
  t.strictSame(listWords('airTemp SSTMean'), ['airtemp', 'air', 'temp', 'sstmean', 'sst', 'mean'])
  t.strictSame(listWords('t2m, u10'), ['t2m', 'u10'])
  t.strictSame(listWords('wind/speed-max'), ['wind', 'speed', 'max'])
  t.end()
})

t.test('accents and case do not matter, in any script', (t) => {
  t.strictSame(listWords('salinité'), listWords('Salinite\u0301'))
  t.strictSame(listWords('Météo ÅNGSTRÖM'), ['meteo', 'angstrom'])
  t.strictSame(listWords('温度 температура'), ['温度', 'температура'])
  t.end()
})

t.test('a word is cut, and never between the halves of a character', (t) => {
  const [word = ''] = listWords(`ax${'\u{20000}'.repeat(100)}`)
  t.ok(word.length <= 64 && word.isWellFormed())
  t.strictSame(splitQuery(`ax${'\u{20000}'.repeat(100)} `).words, [{ value: word, isBeginning: false }])
  t.end()
})

t.test('the last word of a query is a beginning until something follows it', (t) => {
  const beginnings = (query: string) => splitQuery(query).words.map(({ isBeginning }) => isBeginning)
  t.strictSame(beginnings('sea temp'), [false, true])
  t.strictSame(beginnings('sea temp '), [false, false])
  t.strictSame(beginnings('sea "air temp"'), [false, false, false])
  t.end()
})

t.test('quotes make phrases, and an unpaired quote has no meaning', (t) => {
  t.match(splitQuery('"Air temperature" K'), {
    words: [{ value: 'k' }, { value: 'air' }, { value: 'temperature' }],
    phrases: ['air temperature'],
  })
  t.strictSame(splitQuery('"air temp').phrases, [])
  t.strictSame(splitQuery('"" " "'), { words: [], phrases: [] })
  t.equal(writeWords('Air_temperature (2 m)'), 'air temperature 2 m')
  t.end()
})

t.test('words after the 50th are ignored, and long hostile texts take no time', (t) => {
  t.equal(splitQuery('x '.repeat(100)).words.length, 50)
  for (const text of ['"'.repeat(100_000), 'aB'.repeat(50_000), '_'.repeat(100_000), 'A'.repeat(100_000)]) {
    const start = process.cpuUsage()
    splitQuery(text)
    listWords(text)
    const { user } = process.cpuUsage(start)
    t.ok(user < 2_000_000, `${text.slice(0, 3)}: ${user} µs`)
  }
  t.end()
})
