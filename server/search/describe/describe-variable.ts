// Describes a variable for the index of search.
import type { FoundVariable } from '@floe/contract'
import { maxIndexedText, searchLimits } from '@floe/contract/constants'
import type { JsonObject } from '@floe/storage/json'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import { cutText } from './cut-text.ts'
import { listTexts } from './list-texts.ts'
import type { TermCollector } from '../form/terms.ts'

const namesOfVariables: ReadonlySet<string> = new Set(['standard_name', 'long_name'])

/**
 * Sorts variables by how likely a person who names a quantity means them. Otherwise keeps their order.
 */
export function sortVariables(variables: readonly DecodedVariable[]) {
  const sorted: Record<'measured' | 'pictures' | 'coordinates', DecodedVariable[]> = {
    measured: [],
    pictures: [],
    coordinates: [],
  }
  for (const variable of variables)
    sorted[variable.isCoordinate ? 'coordinates' : isPicture(variable) ? 'pictures' : 'measured'].push(variable)
  return sorted
}

const namesOfFlags = ['flag_values', 'flag_masks', 'flag_meanings'] as const

/** Whether this is a picture, such as a JPEG of a map: bytes that are neither packed nor flags, and have no unit. */
function isPicture({ type, attributes }: DecodedVariable): boolean {
  return type.name === 'uint8' && readUnits(attributes) === null && !namesOfFlags.some((name) => attributes.has(name))
}

/** Adds the words and values of a variable. */
export function addVariable(terms: TermCollector, place: number, variable: DecodedVariable): void {
  const { type, attributes } = variable
  const shown = showVariable(variable)
  terms.addName(place, shown.name)
  terms.addName(place, shown.standard_name)
  terms.addName(place, shown.long_name)
  for (const [attribute, value] of attributes)
    if (!namesOfVariables.has(attribute)) for (const text of listTexts(value)) terms.addDescription(place, text)
  terms.addValue(place, 'variable', shown.name)
  terms.addValue(place, 'standard_name', readText(attributes, 'standard_name'))
  terms.addValue(place, 'units', readUnits(attributes))
  terms.addValue(place, 'dtype', type.name)
}

/** Returns what results show of a variable. */
export function showVariable({ name, type, dimensions, attributes }: DecodedVariable): Omit<FoundVariable, 'matched'> {
  return {
    name: cutText(name, maxIndexedText),
    standard_name: readText(attributes, 'standard_name', searchLimits.variableText),
    long_name: readText(attributes, 'long_name', searchLimits.variableText),
    units: readUnits(attributes, searchLimits.variableText),
    type: type.name,
    dimensions: dimensions.map((dimension) => cutText(dimension ?? 'null', maxIndexedText)),
  }
}

/** Reads an attribute without the characters that databases refuse; null if it is empty or not a text. */
function readText(attributes: JsonObject, name: string, maxLength = maxIndexedText): string | null {
  const value = attributes.get(name)
  return typeof value === 'string' && value !== '' ? cutText(value, maxLength) : null
}

/** Reads units, which may be empty: those of a number. */
function readUnits(attributes: JsonObject, maxLength?: number): string | null {
  return attributes.get('units') === '' ? '' : readText(attributes, 'units', maxLength)
}
