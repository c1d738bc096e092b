import { t } from 'tap'
import { searchPage } from '../../../../server/search/page/search-page.ts'
import type { SearchQuery } from '../../../../server/search/page/search-query.ts'
import { elementById, skeleton, visibleText } from '../../pages/markup.ts'
import { links } from '../../pages/sample-dataset.ts'
import { answer, deployment, found, nothing, search } from './sample-search.ts'

const address = '/v1/services/tiles/acme/_meta/search'
const markup = searchPage(search, links)
const text = visibleText(markup)

/** The page of a query, with a changed answer. */
function pageOf(query: SearchQuery, change: Partial<typeof answer> = {}): string {
  return searchPage({ deployment, query, answer: { ...answer, ...change } }, links)
}

/** The queries of the page's links to searches, decoded. */
function addresses(page: string): string[] {
  return [...page.matchAll(/href="[^"]*\/search\?([^"]*)"/g)].map(([, query = '']) =>
    decodeURIComponent(query.replaceAll('&amp;', '&')),
  )
}

t.test('a result shows what it is, where it is and what it has', async (t) => {
  t.match(
    text,
    '34 datasets\nNarrow the search\nBest match first.\nShow the last changed first\nHourly surface fields\nera5\nmain\n/surface/hourly\nTemperature, wind and',
  )
  t.match(markup, '<h3><a href="/v1/services/tiles/acme/_meta/datasets/era5/main/surface/hourly">')
  t.match(text, 'Kind\ngrid\nArea\nLatitude 34°\u00a0N to 72.5°\u00a0N, longitude 25°\u00a0W to 45°\u00a0E')
  t.match(text, 'Time\n1979-01-01\nto\n2026-08-31 23:00 UTC')
  t.match(text, 'Dimensions\ntime: 31,416, latitude: 721, longitude: 1,440')
  t.match(text, 't2m\n(matched)\nK\nair_temperature\n2 metre temperature\nd2m\n(matched)\nK')
  t.match(text, 'u10\nm s-1\nv10\nm s-1\nand 34 other variables')
})

t.test('every variable that matched is shown, and few of the others', async (t) => {
  const variables = found.variables.map((variable) => ({ ...variable, matched: true }))
  t.match(visibleText(pageOf({}, { results: [{ ...found, variables }] })), 'msl\n(matched)\nm s-1\nand 31 other')
})

t.test('a group that xarray refuses says why, and its path is its title', async (t) => {
  const reason = 'xarray cannot open this group: conflicting sizes for dimension "time": 3 and 4'
  t.match(
    text,
    `temperature/broken\nglofas\nmain\n/temperature/broken\n${reason}\nMetadata unchanged since\n2026-09-01 05:12 UTC\nAppend August\nNext`,
  )
})

t.test('an extent may be stated in part, and long texts are cut', async (t) => {
  const until = { ...found, extent: { ...found.extent, bbox: null, start: null }, summary: 'x'.repeat(1_024) }
  const dimensions = new Map(Array.from({ length: 14 }, (_, axis) => [`d${axis}`, 1]))
  const from = { ...found, extent: { ...found.extent, end: null }, dimensions }
  const text = visibleText(pageOf({}, { results: [until, from] }))
  t.match(text, /x… \(624 more characters\)\nKind\ngrid\nTime\nuntil\n2026-08-31 23:00 UTC\nDimensions/)
  t.match(text, /Time\nsince\n1979-01-01\nDimensions\nd0: 1, .*d11: 1, and 2 more\n/)
})

t.test('the form keeps the conditions, and unfolds the fields that are used', async (t) => {
  t.match(markup, new RegExp(`<form\\s+class="filter"\\s+id="search"\\s+role="search"\\s+action="${address}"`))
  t.match(markup, /<input\s+id="q"[^>]*\sname="q"\s+type="search"\s+value="temperature"/)
  t.match(markup, '<input type="hidden" name="units" value="K" />')
  t.match(markup, /<details >\s*<summary>Time, changes and repository/)
  const used = pageOf({ repo: ['era*', 'glofas'], limit: 5, before: 'x', facets: ['units'] })
  t.match(used, /<details open>\s*<summary>Time, changes and repository/)
  t.match(used, /name="repo"\s+type="search"\s+value="era\*"[^]*name="repo"\s+type="search"\s+value="glofas"/)
  t.match(used, '<input type="hidden" name="limit" value="5" />')
  t.notMatch(used, /name="(?:before|facets)"/)
})

t.test('a query that is not valid is explained beside the form, with all that was typed', async (t) => {
  const page = searchPage({ deployment, query: { q: 'ice', bbox: '1,2,3' }, problem: 'bbox needs 4 numbers' }, links)
  t.match(page, /value="ice"[^]*<details class="map" open>[^]*bbox needs 4 numbers/)
  t.strictSame(listEdges(page), ['1', '2', '3', ''])
})

/** The values of the fields of the area. */
function listEdges(page: string): string[] {
  return [...page.matchAll(/name="bbox"[^>]*value="([^"]*)"/g)].map(([, value = '']) => value)
}

/** The rectangles of the map: x, y, width, height and name. */
function listRectangles(page: string): string[] {
  const rectangles = page.matchAll(/<rect x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"><title>(.*?)</g)
  return Array.from(rectangles, ([, ...values]) => values.join(' '))
}

t.test('the map has the boxes of the results, the largest first, and says how many have none', async (t) => {
  const results = Object.entries({
    Arctic: [-180, 80, 180, 90],
    Fiji: [170, -25, -160, -10],
    station: [8.55, 47.38, 8.55, 47.38],
    'South Pole': [0, -90, 0, -90],
    nowhere: null,
  }).map(([title, bbox]) => ({ ...found, title, extent: { ...found.extent, bbox } }))
  const page = pageOf({ bbox: '350,0,10,20' }, { results })
  t.strictSame(listRectangles(page), [
    '-180 -90 360 10 Arctic',
    '170 10 30 15 Fiji',
    '8.55 -47.38 2 2 station',
    '0 88 2 2 South Pole',
  ])
  t.match(page, /<rect class="area" x="-10" y="-20" width="20" height="20" ?\/?>/)
  t.match(
    visibleText(page),
    'Map\n1 of 5 have no box\nArctic\nFiji\nstation\nSouth Pole\nArea\nWest\nSouth\nEast\nNorth\nSearch here',
  )
  t.match(pageOf({}, nothing), '<details class="map" >', 'it is folded while there is nothing to see')
})

t.test('each value of a condition has a link to the first page of the search without it', async (t) => {
  const query = { q: 'sea ice', units: ['K', 'degC'], limit: 5, before: 'x', facets: ['units'] } satisfies SearchQuery
  const chips = addresses(pageOf(query, { facets: {}, total: 1, next: null }))
  const feed = 'q=sea+ice&units=K&units=degC&limit=5&format=atom'
  t.strictSame(chips, [
    feed,
    feed,
    'units=K&units=degC&limit=5',
    'q=sea+ice&units=degC&limit=5',
    'q=sea+ice&units=K&limit=5',
    'q=sea+ice&units=K&units=degC&limit=5',
  ])
})

t.test('a value of a facet is a link that adds or removes it; many values are folded', async (t) => {
  const facets = elementById(markup, 'facets')
  t.match(visibleText(facets), 'Variable\nt2m\n2\nd2m\n1\nUnits\n✓\nRemove\nK\n2\nm s-0\n1')
  t.match(visibleText(facets), '4 more\nof Units\nm s-5')
  t.strictSame(addresses(facets).slice(0, 4), [
    'q=temperature&units=K&variable=t2m',
    'q=temperature&units=K&variable=d2m',
    'q=temperature',
    'q=temperature&units=K&units=m+s-0',
  ])
})

t.test('pages follow each other, and too many results say so', async (t) => {
  t.match(markup, `href="${address}?q=temperature&amp;units=K&amp;before=older%3F" rel="next"`)
  const broad = visibleText(pageOf({ before: 'x' }, { total: 10_000, total_is_exact: false, next: null }))
  t.match(
    broad,
    '10,000 or more datasets\n(continued)\nNarrow the search\nBest match first.\nShow the last changed first\nAdd a word or choose a value to find fewer datasets.',
  )
  t.match(broad, 'First results')
  t.match(broad, 'Counted in the first 1,000 datasets only.')
  t.notMatch(pageOf({}, { next: null }), 'Pages of results')
})

t.test('an empty result offers words that are near, and a repository so named', (t) => {
  const near = { word: 'temprature', near: ['temperature'], repository: null }
  const inName = { word: 'era', near: [], repository: 'era5' }
  const empty = { results: [], facets: {}, total: 0, unknown_words: [near, inName], next: null }
  const page = pageOf({ q: 'Temprature era' }, empty)
  t.match(visibleText(page), 'No dataset has\ntemprature\n.\nDid you mean\ntemperature\n?')
  t.match(page, 'search?q=temperature+era')
  t.match(page, /search\?q=Temprature\+?&amp;repo=era5/)
  t.end()
})

t.test('an empty result of one condition does not repeat it', (t) => {
  const unknown = { word: 'zzzz', near: [], repository: null }
  const page = visibleText(pageOf({ q: 'zzzz' }, { ...nothing, unknown_words: [unknown] }))
  t.match(page, 'No datasets found\nNo dataset has\nzzzz\n.')
  t.notMatch(page, 'all conditions')
  t.end()
})

t.test('an empty result names each condition with a search without it', async (t) => {
  const query = { q: 'temprature', units: ['K', 'degC'], bbox: '1,2,3,4' }
  const page = searchPage({ deployment, query, answer: { ...nothing, without_extent: 12 } }, links)
  t.match(
    visibleText(page),
    'Words\ntemprature\n·\nsearch without\nWords\nUnits\nK\nor\ndegC\n·\nsearch without\nUnits\n',
  )
  t.match(visibleText(page), 'Not included: 12 datasets whose attributes state no area.\nSearch without area')
  const without = ['units=K&units=degC&bbox=1,2,3,4', 'q=temprature&bbox=1,2,3,4', 'q=temprature&units=K&units=degC']
  t.strictSame(addresses(page).slice(-4), [...without, without[2]])
  t.match(visibleText(pageOf({}, nothing)), 'No datasets are indexed.')
})

t.test('the page says what is not indexed', async (t) => {
  t.notMatch(text, 'indexed')
  const index = { repositories: 1_200, pending: 3, failed: 0, oldest: '2026-11-23T10:00:00.000Z', omitted: 7 }
  const behind = visibleText(pageOf({}, { ...nothing, index })).replaceAll('\n', ' ')
  t.match(
    behind,
    'The newest commits of 3 of 1,200 repositories are not indexed yet (the oldest since 2026-11-23 10:00 UTC ).',
  )
  const failed = visibleText(pageOf({}, { ...nothing, index: { ...index, failed: 2 } })).replaceAll('\n', ' ')
  t.match(failed, '10:00 UTC ); 2 of them could not be read. Their datasets')
  t.match(behind, 'Left out: 7 datasets, because their repositories have too many datasets or words.')
})

t.test('results that do not fit are counted', async (t) => {
  const name = '"'.repeat(1_024)
  const variable = {
    name,
    standard_name: name,
    long_name: name,
    units: name,
    type: name,
    dimensions: [],
    matched: true,
  }
  const hostile = { ...found, variables: Array.from({ length: 20 }, () => variable) }
  const page = pageOf({}, { results: Array.from({ length: 100 }, () => hostile) })
  t.ok(page.length < 1_100_000)
  t.match(visibleText(page), /\d+ more do not fit on this page/)
})

t.test('a deployment without search has neither the box nor the script', async (t) => {
  const without = searchPage({ ...search, deployment: { ...deployment, hasSearch: false } }, links)
  t.notMatch(without, 'search.js')
  t.strictSame(markup.match(/role="search"/g), ['role="search"'], 'the form replaces the box')
  t.ok(skeleton(markup).includes('<script src="" defer>'))
})
