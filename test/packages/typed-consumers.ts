// A program of a user whose client knows datasets, and modules that `floe types` writes.
import type { DatasetContract } from '@floe/contract'
import type { ByDataset } from '../../server/main/commands/types/collect-schemas.ts'
import { writeModule } from '../../server/main/commands/types/write-module.ts'
import { drawExamples } from '../check-property.ts'
import { hostileDatasets } from '../server/main/commands/types/hostile-datasets.ts'

type Contract = DatasetContract['datasets'][string]

const forecast: Contract = {
  dimensions: { time: {}, latitude: {} },
  variables: {
    temperature: {
      type: 'float64',
      dimensions: ['time', 'latitude'],
      role: 'data',
      units: 'degC',
      standard_name: 'air_temperature',
    },
    time: { type: 'datetime64[ns]', dimensions: ['time'], role: 'coordinate' },
    station: { type: '<U5', dimensions: [null], role: 'coordinate' },
  },
}

const grid: Contract = {
  dimensions: { x: {} },
  variables: { depth: { type: 'float32', dimensions: ['x'], role: 'data', units: 'm' } },
}

/** One repository whose root is no dataset on one ref, and one on another. */
const known: ByDataset<Contract> = new Map([
  [
    'weather',
    new Map([
      [
        'main',
        new Map([
          ['forecast', forecast],
          ['wind/gust', grid],
        ]),
      ],
      [
        'v1.0',
        new Map([
          ['', grid],
          ['forecast', forecast],
        ]),
      ],
    ]),
  ],
  ['ocean', new Map([['main', new Map([['', grid]])]])],
])

const program = `
import { createClient, type Client, type DatasetContracts, type DatasetDict, type DatasetInfo, type DatasetKeys, type JsonValue, type NewCommit, type SnapshotClient, type TypedClient, type TypedInfo } from '@floe/client'
import { datasets, type Datasets, type WeatherForecast } from './known.js'
import type { Datasets as OnlyTypes } from './only-types.js'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function check<_Result extends true>(): void {}

const options = { baseUrl: '', deployment: 'tiles', org: 'acme' }
declare const text: string
declare const template: \`run-\${string}\`
declare const group: 'forecast' | 'wind/gust'
declare const ref: 'main' | 'dev'
declare const notification: NewCommit

// A client that knows datasets, exported without an annotation: the compiler can name its type.
export const floe = createClient<Datasets>(options)
check<Same<typeof floe, TypedClient<Datasets>>>()
export const read = () => floe.info({ repo: 'weather', ref: 'main', group: 'forecast' })
export const readDict = () => floe.dict({ repo: 'weather', ref: 'main', group: 'forecast' })
export const readVersion = () => floe.versioned.info({ repo: 'ocean', ref: 'main' })
export const readSnapshot = () => floe.at(notification, { repo: 'weather', ref: 'main' })
await floe.verify(datasets)
await floe.verify({ weather: datasets.weather })
const contracts: DatasetContracts = datasets
const typesOnly = createClient<OnlyTypes>(options)
check<Same<Awaited<ReturnType<typeof readTypesOnly>>['variables']['depth']['attributes']['units'], 'm'>>()
export const readTypesOnly = () => typesOnly.info({ repo: 'ocean', ref: 'main' })

// What info, keys and dict give.
const info = await read()
check<Same<typeof info, TypedInfo<WeatherForecast>>>()
check<Same<typeof info.dimensions, { time: number; latitude: number }>>()
check<Same<typeof info.variables.temperature.type, 'float64'>>()
check<Same<typeof info.variables.temperature.dimensions, ['time', 'latitude']>>()
check<Same<typeof info.variables.temperature.attributes.units, 'degC'>>()
check<Same<typeof info.variables.temperature.attributes.standard_name, 'air_temperature'>>()
check<Same<typeof info.variables.station.type, string>>()
check<Same<typeof info.variables.station.dimensions, [null]>>()
check<Same<(typeof info.global_attributes)['title'], JsonValue>>()
check<Same<(typeof info.variables.time.attributes)['long_name'], JsonValue>>()
const untypedInfo: DatasetInfo = info
// @ts-expect-error -- there is no such variable
info.variables.temprature
// @ts-expect-error -- there is no such dimension
info.dimensions.longitude
const keys = await floe.keys({ repo: 'weather', ref: 'main', group: 'forecast' })
const untypedKeys: DatasetKeys = keys
const dict = await readDict()
const untypedDict: DatasetDict = dict
check<Same<keyof typeof dict.coords, 'time' | 'station'>>()
check<Same<keyof typeof dict.data_vars, 'temperature'>>()
check<Same<typeof dict.data_vars.temperature.shape, [number, number]>>()
check<Same<typeof dict.data_vars.temperature.dims, ['time', 'latitude']>>()
check<Same<typeof dict.data_vars.temperature.dtype, 'float64'>>()
check<Same<typeof dict.data_vars.temperature.attrs.units, 'degC'>>()
check<Same<typeof dict.dims, { time: number; latitude: number }>>()
const versioned = await floe.versioned.info({ repo: 'weather', ref: 'main', group: 'forecast' }, { ifNoneMatch: '"a"' })
if (versioned.isModified) check<Same<typeof versioned.value, TypedInfo<WeatherForecast>>>()

// A name that is a literal must be known.
// @ts-expect-error -- there is no such repository
await floe.info({ repo: 'wether', ref: 'main', group: 'forecast' })
// @ts-expect-error -- there is no such group
await floe.info({ repo: 'weather', ref: 'main', group: 'forcast' })
// @ts-expect-error -- the root group is no dataset
await floe.info({ repo: 'weather', ref: 'main' })
// @ts-expect-error -- the root group is no dataset
await floe.keys({ repo: 'weather', ref: 'main', group: '' })
// @ts-expect-error -- the root group is no dataset
await floe.versioned.dict({ repo: 'weather', ref: 'main' })
// @ts-expect-error -- a ref is needed
await floe.info({ repo: 'weather' })
check<Same<typeof root.variables.depth.attributes.units, 'm'>>()
const root = await floe.info({ repo: 'ocean', ref: 'main' })
;(await floe.info({ repo: 'ocean', ref: 'main', group: '' })).variables.depth
;(await floe.info({ repo: 'ocean', ref: 'main', group: undefined })).variables.depth
;(await floe.info({ repo: 'weather', ref: 'v1.0' })).variables.depth
;(await floe.info({ repo: 'weather', ref: 'v1.0', group: 'forecast' })).variables.temperature
const names = { repo: 'weather', ref: 'main', group: 'forecast' } as const
;(await floe.info(names)).variables.temperature

// A ref without types, a string or a template literal gives the types without a parameter.
const untyped = [
  await floe.info({ repo: 'weather', ref: 'dev', group: 'anything' }),
  await floe.info({ repo: 'weather', ref: 'dev' }),
  await floe.info({ repo: text, ref: 'main', group: 'anything' }),
  await floe.info({ repo: template, ref: 'main' }),
  await floe.info({ repo: 'weather', ref: text }),
  await floe.info({ repo: 'weather', ref: template, group: 'anything' }),
  await floe.info({ repo: 'weather', ref: 'main', group: text }),
  await floe.info({ repo: 'weather', ref: 'main', group: template }),
  await floe.info({ repo: text, ref: text }),
  await floe.at(notification).info({ group: 'anything' }),
  await floe.at(notification).info(),
  await floe.at(notification, { repo: 'weather', ref: 'dev' }).info(),
  await floe.at(notification, { repo: text, ref: 'main' }).info({ group: 'anything' }),
] as const
check<Same<(typeof untyped)[number], DatasetInfo>>()
for (const each of await floe.datasets({ repo: 'weather', ref: 'main' })) await floe.info({ repo: 'weather', ref: 'main', group: each })
export const wrap = (repo: string, ref: string, group?: string) => floe.info({ repo, ref, group })
check<Same<ReturnType<typeof wrap>, Promise<DatasetInfo>>>()
const either = await floe.info({ repo: 'weather', ref: 'main', group })
if ('depth' in either.variables) check<Same<typeof either.variables.depth.attributes.units, 'm'>>()
const sometimes = await floe.info({ repo: 'weather', ref, group: 'forecast' })
check<Same<typeof sometimes, TypedInfo<WeatherForecast> | DatasetInfo>>()

// The snapshot of a notification.
const snapshot = readSnapshot()
;(await snapshot.info({ group: 'forecast' })).variables.temperature
;(await snapshot.datasets()).length
// @ts-expect-error -- the root group is no dataset
await snapshot.info()
// @ts-expect-error -- there is no such group
await snapshot.dict({ group: 'forcast' })
// @ts-expect-error -- there is no such repository
floe.at(notification, { repo: 'wether', ref: 'main' })
;(await floe.at(notification, { repo: 'ocean', ref: 'main' }).info()).variables.depth
const snapshotWithoutTypes: SnapshotClient = floe.at(notification)

// Without the parameter, everything is as it was.
export const plain = createClient(options)
check<Same<typeof plain, Client>>()
const plainInfo = await plain.info({ repo: 'weather', ref: 'main' })
check<Same<typeof plainInfo, DatasetInfo>>()
const accept = (client: Client) => client.info({ repo: 'weather', ref: 'main' })
await accept(floe)
export const facts = [contracts, untypedInfo, untypedKeys, untypedDict, snapshotWithoutTypes]
`

/** Files of a user's project. */
export const typedConsumers: Readonly<Record<string, string>> = {
  'known.ts': writeModule(known, true).text,
  'only-types.ts': writeModule(known, false).text,
  'typed.ts': program,
  ...Object.fromEntries(
    drawExamples(hostileDatasets, 5).flatMap((datasets, index) => [
      [`hostile-${index}.ts`, writeModule(datasets, true).text],
      [`hostile-types-${index}.ts`, writeModule(datasets, false).text],
    ]),
  ),
}

/** What an editor must offer at \`|\`, by the text before it. */
export const completions = [
  ["await floe.info({ repo: '|' })", ['ocean', 'weather']],
  ["await floe.info({ repo: 'weather', ref: '|' })", ['main', 'v1.0']],
  ["await floe.info({ repo: 'weather', ref: 'main', group: '|' })", ['forecast', 'wind/gust']],
  ["await floe.keys({ repo: 'weather', ref: 'v1.0', group: '|' })", ['forecast']],
  ["await floe.versioned.dict({ repo: 'weather', ref: 'main', group: '|' })", ['forecast', 'wind/gust']],
  ["floe.at(notification, { repo: '|' })", ['ocean', 'weather']],
  ["floe.at(notification, { repo: 'weather', ref: '|' })", ['main', 'v1.0']],
  ["await floe.at(notification, { repo: 'weather', ref: 'main' }).info({ group: '|' })", ['forecast', 'wind/gust']],
  ['info.variables.|', ['station', 'temperature', 'time']],
  ['info.dimensions.|', ['latitude', 'time']],
  ["keys.includes('|')", ['station', 'temperature', 'time']],
] as const

/** The program that an editor shows, up to where the user writes. */
export const beforeCompletion = `
import { createClient, type NewCommit } from '@floe/client'
import type { Datasets } from './known.js'
declare const notification: NewCommit
const floe = createClient<Datasets>({ baseUrl: '', deployment: 'tiles', org: 'acme' })
const info = await floe.info({ repo: 'weather', ref: 'main', group: 'forecast' })
const keys = await floe.keys({ repo: 'weather', ref: 'main', group: 'forecast' })
`
