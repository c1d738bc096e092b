// Names that mean the same.
// Aliases of the CF standard name table, version 93, by the name that they stand for, without aliases of two names and
// aliases that are names themselves.
import aliases from './standard-name-aliases.json' with { type: 'json' }

const standardNames: ReadonlyMap<string, string> = new Map(
  Object.entries(aliases).flatMap(([name, others]) => others.map((alias) => [alias, name] as const)),
)

/**
 * Replaces an alias by the standard name. A modifier can follow the name, as in `sea_ice_extent
 * number_of_observations`.
 */
export function foldStandardName(text: string): string {
  const [name = '', ...modifiers] = text.trim().split(/\s+/)
  return [standardNames.get(name) ?? name, ...modifiers].join(' ')
}

/** Source: CF 1.11, section 4.4.1. */
const calendarSynonyms: ReadonlyMap<string, string> = new Map([
  ['gregorian', 'standard'],
  ['365_day', 'noleap'],
  ['366_day', 'all_leap'],
])

/** Replaces a calendar by the usual one of its synonyms. */
export function foldCalendar(calendar: string): string {
  const lowerCase = calendar.toLowerCase()
  return calendarSynonyms.get(lowerCase) ?? lowerCase
}
