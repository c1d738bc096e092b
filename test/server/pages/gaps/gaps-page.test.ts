import { t } from 'tap'
import { gapsPage, type GapsPageData } from '../../../../server/pages/gaps/gaps-page.ts'
import { visibleText } from '../markup.ts'
import { links } from '../sample-dataset.ts'
import { alongTime, forecastGaps, sampleGaps } from './sample-gaps.ts'

const page = gapsPage(sampleGaps, links)
const show = (given: Partial<GapsPageData>) => gapsPage({ ...sampleGaps, ...given }, links)

t.test('arrays with gaps come first, then unknown ones', async (t) => {
  const names = [...page.matchAll(/<h3><a [^>]*>([^<]*)/g)].map(([, name = '']) => name)
  t.strictSame(names, [
    'forecast/temperature',
    'hourly/precipitation_amount_of_the_last_hour_from_radar_and_gauges',
    'wind/gust',
    'complete',
    'not_begun',
    'scalar',
  ])
  t.match(page, '<a href="/v1/services/tiles/acme/_meta/datasets/era5/main/forecast#variable-temperature">')
})

t.test('a strip draws what is written, what lacks, and what is not yet written, in different heights', async (t) => {
  const only = show({ arrays: [forecastGaps] })
  const strip = /<svg\s+class="gap-steps"[^]*?<\/svg>/g.exec(only.slice(only.indexOf('<h3>')))?.[0] ?? ''
  t.match(strip, 'viewBox="0 0 40 20"')
  t.match(strip, '<path class="gap-written" d="M0 8H7V20H0zM8 8H12V20H8zM12 14H13V20H12zM13 8H31V20H13z" />')
  t.match(strip, '<path class="gap-ahead" d="M31 19H40" />')
  t.match(strip, '<path class="gap-mark" d="M7 0H8V6H7zM12 3H13V6H12z" />')
  t.match(strip, 'aria-hidden="true"')
})

t.test('a table says the same as a strip', async (t) => {
  const text = visibleText(show({ arrays: [forecastGaps] }))
  t.match(
    text,
    'Table\nPositions\nWritten chunks\ninit_time 7\n0 of 10\ninit_time 12\n8 of 10\nlead_time 0\nalways empty\n' +
      'init_time 31 to 39\nnot yet written\n',
  )
  const many = Array.from({ length: 60 }, (_, index) => ({ first: 2 * index, last: 2 * index, written: 0, total: 1 }))
  const long = visibleText(show({ arrays: [alongTime(200, { last_written: 199, gaps: many })] }))
  t.match(long, 'time 98\n0 of 1\n10 more\nare in the JSON answer')
  t.notMatch(long, 'time 100\n')
})

t.test('links keep what the address selects', async (t) => {
  const selection = { group: 'forecast', path: 'forecast/*', along: 'init_time', limit: 2 }
  const selected = show({ selection, arrays: [forecastGaps], next: 'forecast/temperature' })
  const gaps = '/v1/services/tiles/acme/_meta/gaps/era5/main'
  t.match(
    selected,
    `<a href="${gaps}?group=forecast&amp;path=forecast%2F*&amp;along=init_time&amp;limit=2` +
      '&amp;after=forecast%2Ftemperature" rel="next">',
  )
  t.match(selected, `<a href="${gaps}?group=forecast&amp;path=forecast%2F*&amp;along=lead_time&amp;limit=2" rel="nofo`)
  t.match(selected, `<a href="${gaps}?group=forecast&amp;along=init_time&amp;limit=2">All arrays</a>`)
  t.match(selected, '<a href="/v1/services/tiles/acme/_meta/datasets/era5/main/forecast">Group forecast</a>')
  t.notMatch(show({ next: null }), 'rel="next"')
})

t.test('a page without arrays says so', async (t) => {
  t.match(visibleText(show({ arrays: [], next: null })), 'There are no such arrays.')
})

t.test('a thousand arrays of four hundred steps each stay below the size of a page', async (t) => {
  const gaps = Array.from({ length: 900 }, (_, index) => ({
    first: 2 * index,
    last: 2 * index,
    written: index % 2,
    total: 2,
  }))
  const arrays = Array.from({ length: 1_000 }, (_, index) => ({
    ...alongTime(2_000, { last_written: 1_999, gaps }),
    path: `group_${index}/${'x'.repeat(200)}`,
  }))
  const large = show({ arrays })
  t.ok(large.length < 1_400_000, `${large.length}`)
  t.match(visibleText(large), /more arrays do not fit on the page\. A smaller limit shows them\./)
})
