// The pages of datasets beside what xarray says of them (`Dataset.to_dict(data=False)`).
import { DatasetDict } from '@floe/contract'
import { t } from 'tap'
import type { z } from 'zod'
import { readExpectedAnswers } from '../../expected-answers.ts'
import { startServer } from '../../start-server.ts'
import { elementById, ids, visibleText } from '../../pages/markup.ts'

const server = await startServer(t)

type Variables = z.output<typeof DatasetDict>['coords']

/** Dimensions, type and shape of variables, by name. */
type Rows = Readonly<Record<string, readonly string[]>>

function readRows(page: string, id: string): Rows {
  const section = ids(page).includes(id) ? elementById(page, id) : ''
  const rows = section.split('<li id="variable-').slice(1)
  const cells = /<(?:b|span)>([^<]*)<\/\w+>\s*<small>[^<]*<\/small>\s*<i>([^<]*)<\/i>\s*<code>([^<]*)<\/code>/
  return Object.fromEntries(
    rows.map((row) => {
      const [, name = '', ...shown] = cells.exec(row) ?? []
      const [, shape = ''] = /<dt>Shape<\/dt>\s*<dd>([^<]*)/.exec(row) ?? []
      return [visibleText(name), [...shown, shape].map(visibleText)]
    }),
  )
}

function writeRows(variables: Variables): Rows {
  const rows = Object.entries(variables).map(([name, { dims, dtype, shape }]) => {
    return [name, [`(${dims.join(', ')})`, dtype, shape.length === 0 ? '' : `(${shape.join(', ')})`]] as const
  })
  return Object.fromEntries(rows)
}

for (const name of ['weather', 'satellite']) {
  // Proves: the page of a dataset shows the same dimensions and variables as xarray
  // Proves: the page of a dataset shows the same attributes as xarray
  t.test(`${name}: pages show the dimensions, variables and attributes that xarray has`, async (t) => {
    const { datasets, branches } = await readExpectedAnswers(name)
    for (const [group, answer] of Object.entries(datasets[branches['main'] ?? ''] ?? {})) {
      if ('error' in answer) continue
      const { coords, data_vars, dims, attrs } = DatasetDict.parse(JSON.parse(answer.dict))
      if (Object.keys(coords).length + Object.keys(data_vars).length === 0) continue
      const page = await (await server.get(`datasets/${name}/main/${group}`)).text()
      const dimensions = elementById(page, 'dimensions').matchAll(/<(?:b|span)>([^<]*)<\/\w+>: (\d+)</g)
      t.strictSame(Object.fromEntries([...dimensions].map(([, name, size]) => [name, Number(size)])), dims)
      t.strictSame(readRows(page, 'coordinates'), writeRows(coords), `coordinates of ${group}`)
      t.strictSame(readRows(page, 'data-variables'), writeRows(data_vars), `data variables of ${group}`)
      const shown = visibleText(page)
      const variables = Object.values({ ...coords, ...data_vars })
      for (const [attribute, value] of [attrs, ...variables.map(({ attrs }) => attrs)].flatMap(Object.entries)) {
        if (typeof value !== 'string') continue
        t.ok(shown.includes(`\n${attribute}\n${value.trim()}\n`), `${group}: ${attribute}`)
      }
    }
  })
}

t.test('a page shows the stored attributes beside what xarray decodes', async (t) => {
  const page = await (await server.get('datasets/weather/main/forecast')).text()
  const temperature = page.split('<li id="variable-').find((row) => row.startsWith('temperature')) ?? ''
  t.match(
    visibleText(temperature),
    'Stored as\nint16\n_FillValue\n-32768\nscale_factor\n0.01\nadd_offset\n0.0\n' +
      'Chunks\n(4, 5, 6) · 4 × 240B uncompressed, 960B decoded',
  )
  t.match(visibleText(elementById(page, 'variable-time')), 'units\nhours since 2026-03-01 00:00:00\ncalendar\n')
})

t.test('a page leads to the commit before and to other refs, in version 1 where that costs no read', async (t) => {
  const { branches, tags } = await readExpectedAnswers('weather')
  const listCommitLinks = async (repo: string) => {
    const page = await (await server.get(`datasets/${repo}/main/forecast`)).text()
    const listed = /<nav class="commit-links".*?<\/nav>/s.exec(page)?.[0] ?? ''
    return [...listed.matchAll(/href="[^"]*_meta\/([^"]*)"/g)].map(([, href = '']) => href)
  }
  const main = branches['main'] ?? ''
  const others = [...Object.keys(branches), ...Object.keys(tags)].filter((name) => name !== 'main')
  const [diff = '', history, ...rest] = await listCommitLinks('weather')
  t.match(diff, new RegExp(`^diff/weather/[0-9A-Z]{20}/${main}$`))
  t.equal((await server.get(diff)).status, 200)
  t.equal(history, 'history/weather/main')
  t.strictSame(
    rest.map((href) => decodeURIComponent(href)).sort(),
    [...others.map((name) => `datasets/weather/${name}/forecast`), 'discovery/weather'].sort(),
  )
  const [diffV1 = '', ...restV1] = await listCommitLinks('weather-v1')
  t.equal((await server.get(diffV1)).status, 200)
  t.strictSame(restV1, ['history/weather-v1/main', 'discovery/weather-v1'])
})

t.test('pages of a private deployment ask search engines to leave them out', async (t) => {
  t.match(await (await server.get('datasets/weather/main/forecast')).text(), 'content="noindex"')
  const open = await (await fetch(`${server.publicMeta}/datasets/weather/main/forecast`)).text()
  t.notMatch(open, 'noindex')
  t.match(open, '"@type":"Dataset","name":"Forecast of the regional model"')
})
