import { t } from 'tap'
import { datasetPage, type DatasetPageData } from '../../../../server/pages/dataset/dataset-page.ts'
import { elementById, ids, visibleText } from '../markup.ts'
import { retraction } from '../browse/sample-browse.ts'
import { alongTime, forecastGaps } from '../gaps/sample-gaps.ts'
import {
  attributes,
  dataset,
  europe,
  links,
  pageSubject,
  reanalysis,
  reanalysisContent,
  wideDataset,
} from '../sample-dataset.ts'

const page = datasetPage(reanalysis, links)

function names(list: string): string[] {
  return [...list.matchAll(/<li id="[^"]*">\s*(?:<details>\s*<summary>|<p>)<(?:b|span)>([^<]*)/g)].map(
    ([, name = '']) => name,
  )
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

// Proves: the sections of the page have the same order as in xarray
t.test('sections stand in the order of xarray, groups below them', async (t) => {
  const order = ['dimensions', 'coordinates', 'data-variables', 'attributes', 'groups', 'open']
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
  t.match(dimensions, '<summary><b>time</b>: 31416</summary>')
  t.match(dimensions, '<summary><span>station</span>: 412</summary>')
  t.match(elementById(page, 'coordinates'), /<b>time<\/b>.*<span>surface_altitude<\/span>/s)
})

t.test('a row has name, long name, units, dimensions, decoded type, written chunks and size in memory', async (t) => {
  t.match(
    visibleText(elementById(page, 'data-variables')),
    '\nt2m\n2 metre temperature [K]\n(time, latitude, longitude)\nfloat64\n1,300 of 1,309 chunks written\n261GB\n',
  )
})

t.test('the page says which arrays have chunks that are not written, and links to the gaps', async (t) => {
  const text = visibleText(page).replaceAll(/\s+/g, ' ')
  t.match(text, '2 arrays have chunks that are not written. They read as the fill value.')
  t.match(page, /<a href="[^"]*_meta\/gaps\/era5\/main\?group=surface%2Fhourly" rel="nofollow">Which chunks these are</)
  t.match(page, '<a href="/v1/services/tiles/acme/_meta/completeness/era5/main?group=surface%2Fhourly"')
  t.match(text, ' float32 0 of 1,309 shards written 130GB ')
  t.match(page, /1,300 of 1,309 chunks written<svg aria-hidden="true"><rect width="99%" \/><\/svg>/)
  t.match(page, '/gaps/era5/main?path=surface%2Fhourly%2Ft2m" rel="nofollow">Gaps</a>')
  t.match(text, ' int64 all written 8B ')
  t.match(text, ' float32 unknown 130GB ')
  t.match(text, 'It is unknown how many chunks are written: several arrays share a manifest.')
  const complete = visibleText(
    datasetPage(
      { ...reanalysis, written: { chunks: new Map([['crs', { written: 1, total: 1 }]]), gaps: new Map() } },
      links,
    ),
  )
  t.notMatch(complete, /not written|missing/)
})

t.test('an array with chunks that are not written has a strip below its row, if its gaps were read', async (t) => {
  t.notMatch(page, 'class="gap-strip"')
  const gaps = new Map([['t2m', { ...forecastGaps, path: 'surface/hourly/t2m' }]])
  const item = elementById(
    datasetPage({ ...reanalysis, written: { ...reanalysis.written, gaps } }, links),
    'variable-t2m',
  )
  t.match(item.slice(item.lastIndexOf('class="storage"')), /<\/details>\s*<div class="gap-strip">/)
  t.match(visibleText(item), '2 gaps along init_time: 7 (0 of 10 chunks), 12 (8 of 10); lead_time 0 is always empty')
})

t.test('strips that do not fit are left out before any row', async (t) => {
  const wide = wideDataset(1_500)
  const gaps = Array.from({ length: 200 }, (_, index) => ({ first: 2 * index, last: 2 * index, written: 0, total: 1 }))
  const each = alongTime(400, { last_written: 399, gaps })
  const written = {
    chunks: new Map([...wide.written.chunks.keys()].map((name) => [name, { written: 200, total: 400 }])),
    gaps: new Map([...wide.written.chunks.keys()].map((name) => [name, each])),
  }
  const large = datasetPage({ ...wide, written }, links)
  t.ok(large.length < 1_500_000, `${large.length}`)
  t.match(large, 'band_1499_reflectance')
  t.ok(large.split('class="gap-strip"').length > 5)
})

t.test('attributes print as Python prints them', async (t) => {
  const text = visibleText(page)
  t.match(text, '\nlevels\n[1000, 850.0, 500]\nfinal\nTrue\n')
  t.match(text, "\nflags\n{'checked': True, 'by': ['ada', None]}\n")
  t.match(text, '\nearth_radius\n6371229.0\n')
})

t.test('the details of a variable say how it is stored', async (t) => {
  const text = visibleText(elementById(page, 'data-variables'))
  t.match(text, '\nStored as\nint16\n_FillValue\n-32767\nscale_factor\n0.002\nadd_offset\n260.0\nChunks\n')
  t.match(text, '\nChunks\n(24, 721, 1440) · 1,309 × 50MB uncompressed, 199MB decoded\n')
  t.match(text, '(24, 103, 180) · 73,304 × 2MB uncompressed\nShards\n(24, 721, 1440) · 1,309 × 100MB uncompressed\n')
  const codecs = 'bytes(endian=little) → blosc(cname=zstd, clevel=5, shuffle=shuffle)'
  t.match(text, `\nCodecs\nsharding_indexed[${codecs}]\nFill value\nNaN\n`)
  t.match(text, `\nCodecs\n${codecs}\nFill value\n-32767\n`)
  t.match(
    visibleText(elementById(page, 'coordinates')),
    '\nStored as\nint64\nunits\nhours since 1900-01-01\ncalendar\nproleptic_gregorian\n',
  )
})

t.test('the total counts every variable, coordinates included', async (t) => {
  const values = { name: 'v', dimensions: ['x'], shape: [1_000], dataType: 'float64' }
  const coordinate = { ...values, name: 'x', isCoordinate: true }
  t.match(visibleText(pageOf([values, coordinate])), 'xarray.Dataset\n16kB uncompressed')
})

t.test('lists of fewer than 30 variables are open at first, and attributes where xarray opens them', async (t) => {
  const isOpen = (markup: string, id: string) => / open>/.test(/^<[^>]*>/.exec(elementById(markup, id))?.[0] ?? '')
  t.equal(isOpen(pageOf(scalars(29, true)), 'coordinates'), true)
  t.equal(isOpen(pageOf(scalars(30, true)), 'coordinates'), false)
  t.equal(isOpen(pageOf(scalars(29, false)), 'data-variables'), true)
  t.equal(isOpen(pageOf(scalars(30, false)), 'data-variables'), false)
  const nine = JSON.stringify(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`a${index}`, index])))
  t.equal(isOpen(pageOf([], nine), 'attributes'), true)
  t.equal(isOpen(pageOf([], nine.replace('{', '{"more":1,')), 'attributes'), false)
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

t.test(
  'the heading is the title, with the path above and the summary below; without a title it is the path',
  async (t) => {
    const show = (members: object, group = 'surface/hourly') => {
      const content = { kind: 'group', attributes: attributes(JSON.stringify(members)) } as const
      return datasetPage({ ...reanalysis, group, content }, links)
    }
    const titled = show({ title: 'Hourly fields', summary: 'See https://era.example.org.\nSecond line.' })
    t.match(titled, '<h1>Hourly fields</h1>')
    t.match(titled, '<code>/surface/hourly</code>')
    t.match(titled, '>https://era.example.org</a>.\nSecond line.</p>')
    t.match(show({ title: ['Hourly', 'fields'] }), '<h1>Hourly, fields</h1>')
    t.match(show({ title: 'x'.repeat(300) }), `<h1>${'x'.repeat(200)}… (100 more characters)</h1>`)
    for (const title of ['', ' ', 5, null, {}]) t.match(show({ title }), '<h1><span>surface/</span>hourly</h1>')
    t.match(show({}, ''), '<h1>era5</h1>')
    t.notMatch(show({}), 'class="summary"')
  },
)

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
  t.match(visibleText(page), '2 groups\nJSON:\ninfo\nkeys\ndict\n')
  t.match(visibleText(elementById(page, 'groups')), 'daily_mean\n6 arrays\nquality\n1 array, 3 groups')
  t.match(page, `<a href="${meta}/quality">quality</a>`)
})

t.test('the page shows the commit, also one without author or message', async (t) => {
  t.match(
    visibleText(page),
    'Branch\nmain\nSnapshot\nH4SX5TD8QK7J2M9V0WBG\nCommitted\n2026-08-30 06:12:44 UTC\n' +
      'Author\nAda Lovelace\nMessage\nAppend August 2026',
  )
  const at = { ...pageSubject, commit: { ...pageSubject.commit, author: null, message: '' } }
  t.match(visibleText(datasetPage({ ...reanalysis, at }, links)), 'Author\nunknown\nMessage\nNo message')
})

t.test('the commit has its metadata, whose addresses are links', async (t) => {
  t.match(visibleText(page), 'Metadata\njob\nhttps://jobs.example.org/runs/4711\npipeline\nnightly\n')
  t.match(page, '<a href="https://jobs.example.org/runs/4711" rel="noopener nofollow">')
  const at = { ...pageSubject, commit: { ...pageSubject.commit, metadata: new Map() } }
  t.notMatch(visibleText(datasetPage({ ...reanalysis, at }, links)), 'Metadata')
})

t.test('the commit leads to its permanent page, its history, its changes and other refs', async (t) => {
  const meta = '/v1/services/tiles/acme/_meta'
  const id = 'H4SX5TD8QK7J2M9V0WBG'
  t.match(page, `<a href="${meta}/datasets/era5/${id}/surface/hourly" title="Permanent link to this page" data-copy>`)
  t.match(page, '<script src="/v1/assets/web/copy.js" defer></script>')
  const commitLinks = /<nav class="commit-links".*?<\/nav>/s.exec(page)?.[0] ?? ''
  t.strictSame(
    [...commitLinks.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
    [
      `${meta}/diff/era5/G4SX5TD8QK7J2M9V0WBG/${id}`,
      `${meta}/history/era5/main`,
      ...['preliminary', 'v1', 'v2'].map((ref) => `${meta}/datasets/era5/${ref}/surface/hourly`),
      `${meta}/discovery/era5`,
    ],
  )
})

t.test('the page of a snapshot shows its id once beside the page', async (t) => {
  const { snapshotId } = pageSubject.commit
  const at = { ...pageSubject, ref: { kind: 'snapshot', name: snapshotId } } as const
  const aside = /<aside.*?<\/aside>/s.exec(datasetPage({ ...reanalysis, at }, links))?.[0] ?? ''
  t.equal(visibleText(aside).split(`Snapshot\n`).length, 2)
  t.notMatch(aside, '<dd>H4SX')
})

t.test('search engines read what a public dataset states, and are asked to ignore private pages', async (t) => {
  const stated = { title: 'Surface </script><b>', summary: 'Hourly fields.', license: 'CC-BY-4.0', ...europe }
  const dataset = { ...reanalysisContent.dataset, attributes: attributes(JSON.stringify(stated)) }
  const content = { ...reanalysisContent, dataset }
  const at = { ...pageSubject, deployment: { ...pageSubject.deployment, isPublic: true } }
  const open = datasetPage({ ...reanalysis, at, content }, links)
  const [, block = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(open) ?? []
  t.match(JSON.parse(block), {
    '@type': 'Dataset',
    name: stated.title,
    description: 'Hourly fields.',
    license: 'CC-BY-4.0',
    url: 'https://floe.example.org/v1/services/tiles/acme/_meta/datasets/era5/main/surface/hourly',
    version: 'H4SX5TD8QK7J2M9V0WBG',
    temporalCoverage: '1979-01-01T00:00:00.000Z/2026-08-31T23:00:00.000Z',
    spatialCoverage: { geo: { box: '35 -25 72.5 45' } },
    variableMeasured: [{ name: 't2m', description: '2 metre temperature', unitText: 'K' }, { name: 'u10' }],
  })
  t.match(open, '<meta name="description" content="Hourly fields." />')
  t.match(open, '<title>Surface &lt;/script&gt;&lt;b&gt; · surface/hourly · era5 at main · acme · Floe</title>')
  t.notMatch(open, 'noindex')
  const closed = datasetPage({ ...reanalysis, content }, links)
  t.match(closed, '<meta name="robots" content="noindex" />')
  t.notMatch(closed, /ld\+json|name="description"/)
})

t.test('a group that xarray refuses shows the reason first, then what is stored', async (t) => {
  const refused: DatasetPageData = {
    ...reanalysis,
    content: {
      kind: 'unreadable',
      refusal: { reason: "conflicting sizes for dimension 'x'", isTooLarge: false },
      arrays: new Map([...reanalysisContent.arrays, ['spoilt', null]]),
      attributes: attributes('{"title":"Broken"}'),
    },
  }
  const text = visibleText(datasetPage(refused, links))
  t.ok(text.indexOf("conflicting sizes for dimension 'x'") < text.indexOf('Arrays as stored'))
  t.match(text, '\nt2m\n(time, latitude, longitude)\nint16\n1,300 of 1,309 chunks written\nShape\n(31416, 721, 1440)\n')
  t.match(text, '\nspoilt\ncannot be read\n')
  t.match(text, '\ntitle\nBroken\n')
  t.match(text, 'zarr.open_group(session.store, path="surface/hourly", mode="r")')
  t.notMatch(text, /\ninfo\n|JSON:/)
})

t.test('a group without arrays shows its groups and attributes', async (t) => {
  const group = datasetPage(
    { ...reanalysis, group: '', content: { kind: 'group', attributes: attributes('{"title":"Top"}') } },
    links,
  )
  t.ok(ids(group).indexOf('groups') < ids(group).indexOf('attributes'))
  t.match(visibleText(group), /\/\nZarr group without arrays\nTop\n/)
  t.equal(ids(group).includes('data-variables'), false)
})

t.test('variables can be filtered once there are many, and only then is its script loaded', async (t) => {
  t.match(pageOf(scalars(21, false)), /data-filter="variables" hidden>.*<\/html>/s)
  t.match(pageOf(scalars(21, false)), '<script src="/v1/assets/web/filter.js" defer></script>')
  t.notMatch(page, /data-filter|filter\.js/)
})

t.test('lists of several variables have columns to sort by, which need their script', async (t) => {
  for (const id of ['coordinates', 'data-variables']) {
    t.match(
      visibleText(elementById(page, id)).replaceAll(/\n+/g, ' '),
      /^[\w ]+\(5\) Name Description Dimensions Type Written Size /,
    )
  }
  t.match(page, 'data-sort hidden>')
  t.match(page, '<script src="/v1/assets/web/sort.js" defer></script>')
  t.notMatch(pageOf(scalars(1, false)), /data-sort|sort\.js/)
})

t.test('each variable has an anchor, and a dimension leads to the variables along it', async (t) => {
  const along = { dimensions: ['x'], shape: [3], dataType: 'float32' }
  const markup = pageOf([
    { ...along, name: 'a b' },
    { ...along, name: 'x', isCoordinate: true },
  ])
  t.match(markup, '<li id="variable-a%20b">')
  const dimensions = elementById(markup, 'dimensions')
  t.match(dimensions, '<a href="#variable-a%20b">a b</a> <a href="#variable-x">x</a>')
  t.match(visibleText(dimensions), 'x\n: 3\n2 variables:\na b\nx')
})

t.test('the range of a coordinate is what attributes state, and the page names them', async (t) => {
  const axis = (name: string, stated: string, more = {}) => ({
    name,
    dimensions: [name],
    shape: [3],
    dataType: 'float64',
    isCoordinate: true,
    attributes: stated,
    ...more,
  })
  const group =
    '{"geospatial_lat_min":35.0,"geospatial_lat_max":"72.5","time_coverage_start":"1979","geospatial_lon_min":[0]}'
  const markup = pageOf(
    [
      axis('lat', '{"units":"degrees_north"}'),
      axis('lon', '{"units":"degrees_east","valid_min":-180,"valid_max":180,"actual_range":[0.0,359.75]}'),
      axis('level', '{"axis":"Z","valid_range":[1,8]}', { encoding: '{"scale_factor":2}' }),
      axis('time', '{"actual_range":[0,743]}', {
        decodedAs: 'datetime64[ns]',
        encoding: '{"units":"hours since 1979-01-01"}',
      }),
    ],
    group,
  )
  const text = visibleText(elementById(markup, 'coordinates'))
  t.match(text, '\nlat\n[degrees_north] 35.0 to 72.5\n')
  t.match(text, '\nlon\n[degrees_east] 0.0 to 359.75\n')
  t.match(text, '\nlevel\nvalid 1 to 8, as stored\n')
  t.match(text, '\ntime\n[hours since 1 January 1979] 0 to 743\n')
  const note =
    'The ranges come from the attributes geospatial_lat_min, geospatial_lat_max, actual_range, valid_range. ' +
    'Array data was not read.'
  t.match(text, note)
  t.notMatch(visibleText(pageOf([axis('lat', '{"valid_range":["low"]}')])), 'The ranges come')
})

t.test('the units of stored times are in words, where they mean one thing only', async (t) => {
  const describe = (units: string, calendar?: string) => {
    const encoding = JSON.stringify({ units, calendar })
    const time = { name: 'time', dimensions: ['time'], shape: [3], dataType: 'int64', isCoordinate: true, encoding }
    const text = visibleText(elementById(pageOf([{ ...time, decodedAs: 'datetime64[ns]' }]), 'coordinates'))
    return /\[[^\]]*\]/.exec(text)?.[0]
  }
  t.equal(describe('days since 2000-2-29'), '[days since 29 February 2000]')
  t.equal(describe('seconds since 1970-01-01T00:00:00Z', 'Proleptic_Gregorian'), '[seconds since 1 January 1970]')
  t.equal(describe('hours since 1900-01-01 06:30:00.0'), '[hours since 1 January 1900 at 06:30]')
  t.equal(describe('days since 1850-01-01', 'noleap'), '[days since 1 January 1850, calendar noleap]')
  for (const units of ['hours since 2000-01-01 12:00 -6:00', 'days since 2000-13-01', 'h since 3/4/2000', '</small>']) {
    t.equal(describe(units), `[${units}]`, 'others stay as they are')
  }
})

t.test('addresses in attributes are links, and nothing else is', async (t) => {
  const text =
    'See https://doi.org/10.5194/acp (or HTTP://example.org/a?b=1&c="2), not javascript:alert(1) or https://.'
  const cut = `${'x'.repeat(3_980)} https://example.org/long/long`
  const markup = elementById(pageOf([], JSON.stringify({ text, cut, list: ['https://example.org'] })), 'attributes')
  t.strictSame(markup.match(/<a [^>]*>[^<]*/g), [
    '<a href="https://doi.org/10.5194/acp" rel="noopener nofollow">https://doi.org/10.5194/acp',
    '<a href="HTTP://example.org/a?b=1&amp;c=" rel="noopener nofollow">HTTP://example.org/a?b=1&amp;c=',
  ])
  t.match(visibleText(markup), '1&c=\n"2), not javascript')
})

t.test('the page says what the data are, also of a group that xarray refuses', async (t) => {
  const refusal = { reason: 'dimension "y" has 4096 elements here and 2048 elsewhere', isTooLarge: false }
  const axes = ['y', 'x'].map((name) => ({ name, type: 'space', unit: 'micrometer' }))
  const image = { axes, datasets: ['0', '1', '2'].map((path) => ({ path })) }
  const stored = attributes(JSON.stringify({ ome: { version: '0.5', multiscales: [image] }, LongName: 'Cells' }))
  const content = { kind: 'unreadable', refusal, arrays: new Map(), attributes: stored } as const
  const page = datasetPage({ ...reanalysis, content }, links)
  t.match(visibleText(page), 'Multiscale image, 3 levels, y and x in micrometer\n(attribute ome)')
  t.match(page, '<b title="attribute LongName">Cells</b>')
  t.notMatch(pageOf([]), '(attribute ome)')
})

t.test('retractions, and why xarray refuses a group, come before the commit', async (t) => {
  const refusal = { reason: 'dimension "y" has 4096 elements here and 2048 elsewhere', isTooLarge: false }
  const content = { kind: 'unreadable', refusal, arrays: new Map(), attributes: new Map() } as const
  const at = { ...pageSubject, remarks: [{ ...retraction, path: null }] }
  t.match(
    visibleText(datasetPage({ ...reanalysis, at, content }, links)),
    /Retracted[^]*Wrong units[^]*xarray cannot open this group[^]*Committed/,
  )
})
