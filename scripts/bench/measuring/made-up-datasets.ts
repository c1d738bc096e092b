// The made-up datasets that searches are measured with.
import { JsonNumber, type JsonValue } from '@floe/storage/json'
import { describeDataset, type DescribedDataset } from '../../../server/search/describe/describe-dataset.ts'
import { float32, int64 } from '../../../server/xarray/data-types.ts'
import { makeSeededRandom, pick } from '../../fuzz/mutations.ts'

export const random = makeSeededRandom(20_261_123)

const media = 'air water sea_surface soil snow ice cloud ocean canopy lake stratosphere ozone'.split(' ')
export const quantities = [
  'temperature pressure salinity velocity density humidity albedo flux thickness fraction concentration depth',
  'height mixing_ratio potential turbulence radiance emissivity conductivity alkalinity oxygen nitrate aerosol',
  'runoff discharge',
].flatMap((line) => line.split(' '))
export const standardNames = media.flatMap((medium) => quantities.map((quantity) => `${medium}_${quantity}`))
const units = ['K', 'Pa', 'm', 's', 'kg', '%', 'W', 'mol', '1', 'degC'].flatMap((unit) =>
  ['', ' m-2', ' s-1', ' m-3', ' kg-1'].map((per) => unit + per),
)
export const places =
  'Europe Arctic Atlantic Pacific Alps Sahel Amazon Baltic Andes Himalaya Congo Nordic Global Antarctica'.split(' ')
const kinds = 'hourly daily monthly reanalysis forecast hindcast satellite mooring radar ensemble'.split(' ')
/** Some are frequent, most are rare. */
const pickSkewed = <Item>(items: readonly Item[]) => pick(random, items.slice(0, 1 + random(items.length)))

/** Makes a dataset of a repository with 20 variables. All have the words `climate` and `record`. */
export function makeDataset(repo: string, number: number): DescribedDataset {
  const path = `${pick(random, kinds)}/v${random(9)}/run_${number}`
  const dimensions = ['time', 'lat', 'lon', pick(random, ['level', 'depth', 'member', 'band'])]
  const variables = Array.from({ length: 20 }, (_, index) => {
    const standardName = pickSkewed(standardNames)
    const words = standardName.split('_')
    const attributes = new Map<string, JsonValue>([
      ['standard_name', standardName],
      ['long_name', `${pick(random, ['Mean', 'Maximum', 'Minimum', 'Daily'])} ${words.join(' ')}`],
      ['units', pickSkewed(units)],
    ])
    const name = `${words.map((word) => word.slice(0, 3)).join('')}_${index}`
    const type = random(5) === 0 ? int64 : float32
    const stored = { encoding: new Map(), storedItemBytes: type.itemBytes }
    return { name, type, dimensions, shape: [], attributes, ...stored, isCoordinate: false, isIndexed: false }
  })
  const [west, south, year] = [random(360) - 180, random(160) - 80, 1950 + random(75)]
  const title = `${pick(random, places)} ${pick(random, kinds)} climate record ${year}`
  const box = [west, south, west + 1 + random(40), Math.min(90, south + 1 + random(30))]
  const quantity = pickSkewed(standardNames).replaceAll('_', ' ')
  const summary = `${title}: ${quantity} of the ${pick(random, places)} region, version ${random(9)}`
  const attributes = new Map<string, JsonValue>([
    ['title', title],
    ['summary', summary],
    ['institution', `Institute ${random(40)} of ${pick(random, places)}`],
    ['keywords', Array.from({ length: 5 }, () => pickSkewed(quantities)).join(', ')],
    ['source', pick(random, kinds)],
    ['Conventions', 'CF-1.11, ACDD-1.3'],
    ['history', `2026-11-${1 + random(28)}T${random(24)}:00Z written by run ${number}`],
    ...(random(4) === 0 ? [] : [['bbox', box.map((edge) => new JsonNumber(String(edge)))] as const]),
    ...(random(4) === 0
      ? []
      : [['time_coverage_start', `${year}-01-01`] as const, ['time_coverage_end', `${year + 5}`] as const]),
  ])
  const sizes = new Map(dimensions.map((dimension) => [dimension, BigInt(1 + random(1_000))]))
  return describeDataset({ repo, path, above: [] }, { dimensions: sizes, variables, attributes })
}
