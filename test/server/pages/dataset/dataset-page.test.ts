import { t } from 'tap'
import { datasetPage, type DatasetPageData } from '../../../../server/pages/dataset/dataset-page.ts'
import { elementById, ids, visibleText } from '../markup.ts'
import { attributes, dataset, links, reanalysis, reanalysisContent, pageSubject } from '../sample-dataset.ts'

const page = datasetPage(reanalysis, links)

function names(list: string): string[] {
  return [...list.matchAll(/<li>\s*(?:<details>\s*<summary>|<p>)<(?:b|span)>([^<]*)/g)].map(([, name = '']) => name)
}

function pageOf(variables: Parameters<typeof dataset>[0], groupAttributes?: string): string {
  return datasetPage({ ...reanalysis, content: { kind: 'dataset', ...dataset(variables, groupAttributes) } }, links)
}

function scalars(count: number, isCoordinate: boolean) {
  return Array.from({ length: count }, (_, index) => ({
    name: `v${index}`,
    dimensions: [],
    shape: [],
    dataType: 'float32',
    isCoordinate,
  }))
}

t.test('sections stand in the order of xarray, groups below them', async (t) => {
  const order = ['dimensions', 'coordinates', 'data-variables', 'indexes', 'attributes', 'groups', 'open-it']
  t.strictSame(
    ids(page).filter((id) => order.includes(id)),
    order,
  )
})

t.test(
  'coordinates follow their dimensions, scalars come last, and data variables keep the order of keys',
  async (t) => {
    const coordinates = elementById(page, 'coordinates')
    t.match(visibleText(coordinates), /^Coordinates\n\(5\)/)
    t.strictSame(names(coordinates), ['time', 'latitude', 'longitude', 'surface_altitude', 'version'])
    t.strictSame(names(elementById(page, 'data-variables')), ['t2m', 'u10', 'v10', 'crs', 'station_name'])
  },
)

t.test('dimensions and coordinates with an index are bold', async (t) => {
  const dimensions = elementById(page, 'dimensions')
  t.match(dimensions, '<li><b>time</b>: 31416</li>')
  t.match(dimensions, '<li><span>station</span>: 412</li>')
  t.match(elementById(page, 'coordinates'), /<b>time<\/b>.*<span>surface_altitude<\/span>/s)
})

t.test('a row holds name, dimensions, decoded type, shape and size in memory', async (t) => {
  t.match(
    visibleText(elementById(page, 'data-variables')),
    '\nt2m\n(time, latitude, longitude)\nfloat64\n(31416, 721, 1440)\n261GB\n',
  )
})

t.test('attributes print as Python prints them', async (t) => {
  const text = visibleText(page)
  t.match(text, '\nlevels\n[1000, 850.0, 500]\nfinal\nTrue\n')
  t.match(text, "\nflags\n{'checked': True, 'by': ['ada', None]}\n")
  t.match(text, '\nearth_radius\n6371229.0\n')
})

t.test('a variable tells how it is stored', async (t) => {
  const text = visibleText(elementById(page, 'data-variables'))
  t.match(text, '\nStored as\nint16\nChunks\n(24, 721, 1440) · 1,309 × 199MB\n')
  t.match(text, '\nChunks\n(24, 103, 180) · 73,304 × 2MB\nShards\n(24, 721, 1440) · 1,309 × 100MB\n')
  t.match(text, '\nCodecs\nsharding_indexed[bytes(little) → blosc(zstd, 5, shuffle)]\nFill value\nNaN\n')
  t.match(text, '\nCodecs\nbytes(little) → blosc(zstd, 5, shuffle)\nFill value\n-32767\n')
})

t.test('the total counts every variable, coordinates included', async (t) => {
  const values = { name: 'v', dimensions: ['x'], shape: [1_000], dataType: 'float64' }
  const coordinate = { ...values, name: 'x', isCoordinate: true }
  t.match(visibleText(pageOf([values, coordinate])), 'xarray.Dataset\n16kB uncompressed')
})

t.test('sections are open at first where xarray opens them', async (t) => {
  const isOpen = (markup: string, id: string) => / open>/.test(/^<[^>]*>/.exec(elementById(markup, id))?.[0] ?? '')
  t.equal(isOpen(pageOf(scalars(24, true)), 'coordinates'), true)
  t.equal(isOpen(pageOf(scalars(25, true)), 'coordinates'), false)
  t.equal(isOpen(pageOf(scalars(14, false)), 'data-variables'), true)
  t.equal(isOpen(pageOf(scalars(15, false)), 'data-variables'), false)
  const nine = JSON.stringify(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`a${index}`, index])))
  t.equal(isOpen(pageOf([], nine), 'attributes'), true)
  t.equal(isOpen(pageOf([], nine.replace('{', '{"more":1,')), 'attributes'), false)
  t.equal(isOpen(page, 'indexes'), false)
})

t.test('data variables are a section even when there are none; coordinates and attributes are not', async (t) => {
  const empty = pageOf([])
  t.equal(visibleText(elementById(empty, 'data-variables')), 'Data variables\n(0)')
  t.equal(ids(empty).includes('attributes'), false)
  t.equal(ids(empty).includes('coordinates'), false)
})

t.test('an unnamed dimension prints as None', async (t) => {
  const { dataset: sample } = reanalysisContent
  const unnamed = sample.variables.map((variable) => ({ ...variable, dimensions: [null], shape: [3n] }))
  const decoded = { ...sample, dimensions: new Map([[null, 3n]]), variables: unnamed }
  const text = visibleText(datasetPage({ ...reanalysis, content: { ...reanalysisContent, dataset: decoded } }, links))
  t.match(text, 'Dimensions\nNone\n: 3')
  t.match(text, '\n(None)\n')
})

t.test('breadcrumbs lead to organisation, repository, ref, root group and parent groups', async (t) => {
  const crumbs = /<ol class="crumbs">.*?<\/ol>/s.exec(page)?.[0] ?? ''
  const meta = '/v1/services/tiles/acme/_meta'
  t.strictSame(
    [...crumbs.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
    [
      `${meta}/`,
      `${meta}/discovery/era5`,
      `${meta}/discovery/era5/main`,
      `${meta}/datasets/era5/main`,
      `${meta}/datasets/era5/main/surface`,
    ],
  )
  t.match(visibleText(crumbs), /hourly\nGroup hourly$/)
})

t.test('the page links to its views and to the groups below', async (t) => {
  const meta = '/v1/services/tiles/acme/_meta/datasets/era5/main/surface/hourly'
  for (const view of ['info', 'keys', 'dict']) t.match(page, `<a href="${meta}/${view}">${view}</a>`)
  t.match(visibleText(elementById(page, 'groups')), 'daily_mean\n6 arrays\nquality\n1 array, 3 groups')
  t.match(page, `<a href="${meta}/quality">quality</a>`)
})

t.test('the page shows the commit, also one without author or message', async (t) => {
  t.match(
    visibleText(page),
    'Branch\nmain\nSnapshot\nH4SX5TD8QK7J2M9V0WBG\nCommitted\n2026-08-30 06:12:44 UTC\nAuthor\nAda Lovelace\nMessage\nAppend August 2026',
  )
  const at = { ...pageSubject, commit: { ...pageSubject.commit, author: null, message: '' } }
  t.match(visibleText(datasetPage({ ...reanalysis, at }, links)), 'Author\nunknown\nMessage\nNo message')
})

t.test('a group that xarray refuses shows the reason first, then what is stored', async (t) => {
  const refused: DatasetPageData = {
    ...reanalysis,
    content: {
      kind: 'unreadable',
      reason: "conflicting sizes for dimension 'x'",
      arrays: new Map([...reanalysisContent.arrays, ['spoilt', null]]),
      attributes: attributes('{"title":"Broken"}'),
    },
  }
  const text = visibleText(datasetPage(refused, links))
  t.ok(text.indexOf("conflicting sizes for dimension 'x'") < text.indexOf('Arrays as stored'))
  t.match(text, '\nt2m\n(time, latitude, longitude)\nint16\n(31416, 721, 1440)\n')
  t.match(text, '\nspoilt\ncannot be read\n')
  t.match(text, '\ntitle\nBroken\n')
  t.match(text, 'zarr.open_group(session.store, path="surface/hourly", mode="r")')
  t.notMatch(text, '\ninfo\n')
})

t.test('a group without arrays shows its groups and attributes', async (t) => {
  const group = datasetPage(
    { ...reanalysis, group: '', content: { kind: 'group', attributes: attributes('{"title":"Top"}') } },
    links,
  )
  t.ok(ids(group).indexOf('groups') < ids(group).indexOf('attributes'))
  t.match(visibleText(group), /Zarr group without arrays\nera5\n/)
  t.equal(ids(group).includes('data-variables'), false)
})

t.test('variables can be filtered once there are many, and only then is its script loaded', async (t) => {
  t.match(pageOf(scalars(21, false)), /data-filter="variables" hidden>.*<\/html>/s)
  t.match(pageOf(scalars(21, false)), '<script src="/v1/assets/web/filter.js" defer></script>')
  t.notMatch(page, /data-filter|filter\.js/)
})
