// The units in which the times of a variable are stored, in words. Decoding consumes the attribute.
import type { JsonObject } from '@floe/storage/json'
import { standardCalendars } from '../../xarray/cf/calendars.ts'
import { splitTimeUnits } from '../../xarray/cf/time-units.ts'
import { clipText } from '../page-budget.ts'

const maxUnitsLength = 60

const months = 'January February March April May June July August September October November December'.split(' ')

/** The forms of dates that mean one thing only: others, such as those with a zone, are shown as they are. */
const plainDate =
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[T ](?<clock>\d{1,2}:\d{2})(?::00(?:\.0*)?)?)?Z?$/

/** `hours since 1 January 1900, calendar noleap`; undefined for a variable that does not hold times. */
export function describeStoredUnits(encoding: JsonObject): string | undefined {
  const units = encoding.get('units')
  if (typeof units !== 'string') return undefined
  const calendar = encoding.get('calendar')
  const isUsual = typeof calendar !== 'string' || standardCalendars.has(calendar.toLowerCase())
  return clipText(isUsual ? writeUnits(units) : `${writeUnits(units)}, calendar ${calendar}`, maxUnitsLength)
}

function writeUnits(units: string): string {
  const { unit = '', reference = '' } = splitTimeUnits(units) ?? {}
  const { year, month, day, clock = '0:00' } = plainDate.exec(reference)?.groups ?? {}
  const monthName = months[Number(month) - 1]
  if (monthName === undefined) return units
  const time = /^0?0:00$/.test(clock) ? '' : ` at ${clock}`
  return `${unit} since ${Number(day)} ${monthName} ${Number(year)}${time}`
}
