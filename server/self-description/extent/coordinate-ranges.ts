// Reads between which values the coordinates of a dataset lie, where their attributes state it.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@floe/storage/json'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import { type Grid, isLatitude, isLongitude } from './axes.ts'
import { makeBox, type StatedBox } from './box.ts'
import { type Period, readPeriodBetween } from './read-period.ts'
import { readNumber } from './single-value.ts'

/** Number of variables whose attributes are read: the first ones. */
const maxVariables = 1_000

type Range = { readonly attribute: string; readonly ends: readonly [JsonValue | undefined, JsonValue | undefined] }

/** Reads the box of the latitudes and longitudes. */
export function readBoxOfCoordinates({ variables }: Pick<Grid, 'variables'>): StatedBox | null {
  const listed = variables.slice(0, maxVariables)
  const latitudes = findRange(listed, isLatitude)
  const longitudes = findRange(listed, isLongitude)
  if (latitudes === undefined || longitudes === undefined) return null
  const [south, north] = latitudes.ends.map(readNumber).sort((a, b) => a - b)
  const [west, east] = longitudes.ends.map(readNumber)
  const box = makeBox([west ?? NaN, south ?? NaN, east ?? NaN, north ?? NaN])
  return box && { box, attribute: longitudes.attribute }
}

/** Reads the period of the times, else that of the beginnings of forecasts. Numbers would be in the units of these. */
export function readPeriodOfCoordinates({ variables }: Pick<Grid, 'variables'>): Period | null {
  const listed = variables.slice(0, maxVariables)
  for (const name of ['time', 'forecast_reference_time']) {
    const { attribute, ends } = findRange(listed, ({ attributes }) => attributes.get('standard_name') === name) ?? {}
    const [start, end] = ends?.map((value) => (typeof value === 'string' ? value : undefined)) ?? []
    const period = attribute === undefined ? null : readPeriodBetween(start, end, attribute)
    if (period !== null) return period
  }
  return null
}

function findRange(
  variables: readonly DecodedVariable[],
  isAsked: (variable: DecodedVariable) => boolean,
): Range | undefined {
  return variables.flatMap((variable) => (isAsked(variable) ? (readRange(variable.attributes) ?? []) : []))[0]
}

/** Sources: `statistics_approximate` of the templates of dynamical.org; CF 1.11, appendix A, for `actual_range`. */
function readRange(attributes: JsonObject): Range | null {
  const statistics = attributes.get('statistics_approximate')
  if (isJsonObject(statistics))
    return { attribute: 'statistics_approximate', ends: [statistics.get('min'), statistics.get('max')] }
  const range = attributes.get('actual_range')
  return isJsonArray(range) && range.length === 2 ? { attribute: 'actual_range', ends: [range[0], range[1]] } : null
}
