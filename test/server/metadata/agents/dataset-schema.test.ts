// What `dataset_schema` writes about the answer of `dict`.
import { type PlainJson, writeBody } from '@floe/storage/json'
import fc from 'fast-check'
import { t } from 'tap'
import { type SchemaOptions, writeSchema } from '../../../../server/metadata/agents/dataset-schema.ts'
import { checkProperty } from '../../../check-property.ts'
import { basic, startServer } from '../../start-server.ts'
import { connectAgent, readNote } from './connect-agents.ts'

const write = (dict: PlainJson, options: Partial<SchemaOptions> = {}) =>
  writeSchema(
    typeof dict === 'string' ? Buffer.from(dict) : writeBody<unknown>(dict),
    { filter: '', skip: 0, take: Infinity, maxBytes: 20_000, ...options },
    new AbortController().signal,
  )

/** A variable of a `dict`. */
const variable = (
  dims: (string | null)[],
  shape: number[],
  attrs: Record<string, PlainJson> = {},
  dtype = 'float64',
) => {
  return { dims, attrs, dtype, shape }
}

const forecast = {
  coords: { time: variable(['time'], [24], { standard_name: 'time' }, 'datetime64[ns]') },
  attrs: { history: 'written once', title: 'Hourly forecast' },
  dims: { time: 24, y: 10 },
  data_vars: {
    t2m: variable(['time', 'y'], [24, 10], { units: 'K', standard_name: 'air_temperature', long_name: 'Temperature' }),
    crs: variable([], [], {}, 'int32'),
    d2m: variable(['time', 'y'], [24, 10], { units: 'K', long_name: 'Dew point' }),
  },
}

t.test('variables of the same role, type and dimensions share a heading', async (t) => {
  const { text, ...counts } = await write(forecast)
  t.strictSame(text.split('\n'), [
    'dataset "Hourly forecast": dimensions (time 24, y 10); 1 coordinate, 3 data variables',
    'coordinate datetime64[ns] (time 24):',
    'time',
    'data float64 (time 24, y 10):',
    't2m [K] Temperature',
    'd2m [K] Dew point',
    'data int32 ():',
    'crs',
  ])
  t.strictSame(counts, { shown: 4, selected: 4, of: 4 })
  const empty = await write({ coords: {}, attrs: {}, dims: {}, data_vars: {} })
  t.strictSame(empty, { text: 'dataset: dimensions (); 0 coordinates, 0 data variables', shown: 0, selected: 0, of: 0 })
})

t.test('a filter selects by name, units and long name', async (t) => {
  const select = async (filter: string) => (await write(forecast, { filter })).text.split('\n').slice(1)
  t.strictSame(await select('D2'), ['data float64 (time 24, y 10):', 'd2m [K] Dew point'])
  t.strictSame(await select('temper'), ['data float64 (time 24, y 10):', 't2m [K] Temperature'])
  t.match(await write(forecast, { filter: 'nope' }), { shown: 0, selected: 0, of: 4 })
})

// Proves: texts of repositories stay on their lines in a schema, and are cut
t.test('texts of strangers stay on their lines, and are cut', async (t) => {
  const { text } = await write({
    coords: {},
    attrs: { title: `a\n"b"\u2028c ${'x'.repeat(1_000)}` },
    dims: { 'x\ny': 3, null: 5 },
    data_vars: {
      'two words\n': variable(
        ['x\ny', null],
        [3, 5],
        { units: 7, long_name: '😀'.repeat(400) },
        `<U${'5'.repeat(999)}`,
      ),
      températures: variable([], [], { units: ['K'], long_name: '\u0000 \r\n' }),
      ['v'.repeat(5_000)]: variable(Array(40).fill('x'), Array(40).fill(1), {}),
    },
  })
  const [summary, ...lines] = text.split('\n')
  t.match(summary, /^dataset "a \\"b\\" c x{191}…": dimensions \("x\\ny" 3, null 5\); /)
  t.match(lines[0], /^data <U5{253}… \("x\\ny" 3, null 5\):$/)
  t.equal(lines[1], `"two words\\n" ${'😀'.repeat(119)}…`)
  t.strictSame(lines.slice(2, 4), ['data float64 ():', 'températures'])
  t.match(lines[4], /^data float64 \((x 1, ){32}8 more\):$/)
  t.equal(lines[5], `"${'v'.repeat(255)}…"`)
})

t.test('sizes beyond 2^53 are exact', async (t) => {
  const { text } = await write('{"coords":{},"attrs":{},"dims":{"x":9007199254740993},"data_vars":{}}')
  t.match(text, 'x 9007199254740993')
})

// Proves: the schema of a dataset can be read to its end in short answers
t.test('every window keeps to its size, and going on reads every variable once', async () => {
  const variables = fc.uniqueArray(
    fc.record({
      name: fc.string({ unit: 'binary', maxLength: 20 }),
      longName: fc.string({ unit: 'binary', maxLength: 40 }),
      isLong: fc.boolean(),
    }),
    { selector: ({ name }) => name, maxLength: 40 },
  )
  const check = async (list: { name: string; longName: string; isLong: boolean }[], maxBytes: number) => {
    const entries = list.map(
      ({ name, longName, isLong }) => [name, variable([], [], { long_name: longName }, isLong ? 'i8' : 'i4')] as const,
    )
    const dict = { coords: {}, attrs: {}, dims: {}, data_vars: Object.fromEntries(entries) }
    const read: string[] = []
    while (read.length < list.length) {
      const { text, shown, selected } = await write(dict, { skip: read.length, maxBytes })
      const lines = text.split('\n').slice(1)
      const ofVariables = lines.filter((line) => !/^data i[48] \(\):$/.test(line))
      if (shown === 0 || selected !== list.length || ofVariables.length !== shown) return false
      if (shown > 1 && Buffer.byteLength(text) > maxBytes) return false
      read.push(...ofVariables)
    }
    const { text } = await write(dict, { maxBytes: Infinity })
    return (
      read.join('\n') ===
      text
        .split('\n')
        .filter((line, at) => at > 0 && !/^data i[48] \(\):$/.test(line))
        .join('\n')
    )
  }
  await checkProperty(200, fc.asyncProperty(variables, fc.integer({ min: 80, max: 600 }), check))
})

t.test('280 variables take one answer, of a quarter of the bytes of `info`', async (t) => {
  const server = await startServer(t)
  const headers = { authorization: basic('acme', server.apiKey) }
  const agent = await connectAgent['versions of 2025'](t, { url: `${server.meta}/mcp`, headers })
  const dataset = { repo: 'many-variables', ref: 'main', group: 'reanalysis' }
  const schema = await agent.call('dataset_schema', dataset)
  const text = schema.content[0]?.text ?? ''
  const info = await (await server.get('datasets/many-variables/main/reanalysis/info')).text()
  t.ok(4 * Buffer.byteLength(text) < Buffer.byteLength(info), `${Buffer.byteLength(text)} of ${info.length} bytes`)
  for (const name of Object.keys(JSON.parse(info).variables)) t.match(text, new RegExp(`^${name}( |$)`, 'm'))
  t.match(readNote(schema), /^Snapshot: [0-9A-Z]{20}\nweb_url: \S+$/)

  const page = await agent.call('dataset_schema', { ...dataset, filter: 'maximum', skip: 2, take: 3 })
  t.equal(page.content[0]?.text.match(/_maximum/g)?.length, 3)
  const [, selected = ''] = /^(\d+) of 284 variables match the filter\.$/m.exec(readNote(page)) ?? []
  t.match(readNote(page), `${Number(selected) - 5} more variables are left out: ask again with \`skip\` 5, or`)

  const empty = await agent.call('dataset_schema', { repo: 'weather', ref: 'main' })
  t.match(readNote(empty), 'This group has no arrays. discovery_datasets lists the groups that have.')
  t.match(await agent.call('dataset_schema', { ...dataset, part: '/variables' }), {
    isError: true,
    content: [{ text: 'Invalid request: part: is not known' }],
  })
})
