// Data of the search page, as the service passes it to the page.
import type { ExactDataset } from '../../../../server/search/page/found-dataset.ts'
import type { ExactAnswer, SearchPageData } from '../../../../server/search/page/search-page.ts'
import type { SearchQuery } from '../../../../server/search/page/search-query.ts'
import { pageSubject } from '../../pages/sample-dataset.ts'

const t2m = {
  name: 't2m',
  standard_name: 'air_temperature',
  long_name: '2 metre temperature',
  units: 'K',
  type: 'float32',
  dimensions: ['time', 'latitude', 'longitude'],
  matched: true,
}
const bare = { ...t2m, standard_name: null, long_name: null, units: null, matched: false }

export const found: ExactDataset = {
  repo: 'era5',
  branch: 'main',
  snapshot_id: 'H4SX5TD8QK7J2M9V0WBG',
  group: 'surface/hourly',
  title: 'Hourly surface fields',
  summary: 'Temperature, wind and precipitation of the atmosphere near the ground.',
  dimensions: new Map([
    ['time', 31_416],
    ['latitude', 721],
    ['longitude', 1_440],
  ]),
  extent: { bbox: [-25, 34, 45, 72.5], start: '1979-01-01T00:00:00.000Z', end: '2026-08-31T23:00:00.000Z' },
  kind: 'grid',
  variables: [
    t2m,
    { ...t2m, name: 'd2m', standard_name: 'dew_point_temperature', long_name: '2 metre dewpoint temperature' },
    ...['u10', 'v10', 'sp', 'tp', 'msl'].map((name) => ({ ...bare, name, units: name === 'sp' ? 'Pa' : 'm s-1' })),
  ],
  variable_count: 38,
  changed: { at: '2026-09-01T05:12:00.000Z', message: 'Append August' },
  refusal: null,
  remarks: [],
  href: '/elsewhere',
}

/** A group that xarray refuses. Only its path can match. */
const refused: ExactDataset = {
  ...found,
  repo: 'glofas',
  group: 'temperature/broken',
  title: null,
  summary: null,
  dimensions: new Map(),
  extent: { bbox: null, start: null, end: null },
  kind: null,
  variables: [],
  variable_count: 0,
  refusal: 'conflicting sizes for dimension "time": 3 and 4',
}

export const answer: ExactAnswer = {
  results: [found, refused],
  facets: {
    variable: [
      { value: 't2m', count: 2 },
      { value: 'd2m', count: 1 },
    ],
    units: [
      { value: 'K', count: 2 },
      ...Array.from({ length: 9 }, (_, power) => ({ value: `m s-${power}`, count: 1 })),
    ],
  },
  total: 34,
  total_is_exact: true,
  without_extent: null,
  unknown_words: [],
  next: 'older?',
  index: { repositories: 1_200, pending: 0, failed: 0, oldest: null, omitted: 0 },
}

/** A search that found nothing. */
export const nothing: ExactAnswer = { ...answer, results: [], facets: {}, total: 0, next: null }

export const { deployment } = pageSubject

export const search: SearchPageData = { deployment, query: { q: 'temperature', units: ['K'] }, answer }

/** Makes a search in which every text is the given one. */
export function searchWith(text: string): { readonly query: SearchQuery; readonly answer: ExactAnswer } {
  const variable = { ...t2m, name: text, standard_name: text, long_name: text, units: text }
  const texts = { repo: text, branch: text, group: text, title: text, summary: text, refusal: text }
  const dataset = { ...found, ...texts, dimensions: new Map([[text, 1]]), variables: [variable], variable_count: 1 }
  return {
    query: { q: text, units: [text, 'K'], repo: [text], attribute: [text], before: text },
    answer: { ...answer, results: [dataset], facets: { units: [{ value: text, count: 1 }] }, next: text },
  }
}
