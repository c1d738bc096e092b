// Reads who made a dataset, and whether these are persons or organisations.
import { isJsonArray, isJsonObject, type JsonObject } from '@floe/storage/json'
import { shorten } from '../text/shorten.ts'
import { readText, readTextList } from './read-texts.ts'

export type Agent = { readonly name: string; readonly isPerson: boolean }

/** Longer names are cut, in code points. */
export const maxNameLength = 300

const maxAgents = 100

/** The names of creators: an attribute of ACDD, else those that are usual elsewhere, also as objects with names. */
export function readCreators(attributes: JsonObject): readonly Agent[] | null {
  for (const names of ['creator_name', 'creator', 'creators', 'author', 'authors']) {
    const creators = readAgents(attributes, 'creator', names)
    if (creators !== null) return creators
  }
  return null
}

/** Reads who published a dataset, by ACDD. */
export function readPublisher(attributes: JsonObject): Agent | null {
  return readAgents(attributes, 'publisher')?.[0] ?? null
}

/** Reads who else contributed, by ACDD. */
export function readContributors(attributes: JsonObject): readonly Agent[] | null {
  return readAgents(attributes, 'contributor')
}

/**
 * Semicolons separate names in texts, not in objects. One type is that of all; otherwise each type is that of the name
 * at its place. The names of institutions are those of organisations.
 */
function readAgents(
  attributes: JsonObject,
  role: 'creator' | 'publisher' | 'contributor',
  names = `${role}_name`,
): readonly Agent[] | null {
  const objects = readNames(attributes, names)
  const listed = objects.length > 0 ? objects : splitTexts(attributes, names)
  if (listed.length === 0) return null
  const kinds = splitTexts(attributes, `${role}_type`)
  const institutions = [`${role}_institution`, 'institution'].flatMap((name) => readTextList(attributes, name))
  const organisations = new Set(institutions.map((text) => text.trim()))
  return listed.map((name, index) => ({
    name: shorten(name.toWellFormed(), maxNameLength),
    isPerson: isPerson(kinds.length === 1 ? kinds[0] : kinds[index]) && !organisations.has(name),
  }))
}

/** ACDD 1.3 has `person`, `group`, `institution` and `position`; without a type, a person is assumed. */
function isPerson(type = 'person'): boolean {
  return !['group', 'institution', 'organization', 'organisation'].includes(type.toLowerCase())
}

/** Reads names from an object such as `{ "name": "Ada Lovelace" }`, or a list of them, as schema.org writes agents. */
function readNames(attributes: JsonObject, name: string): readonly string[] {
  const value = attributes.get(name)
  return (isJsonArray(value) ? value : [value])
    .slice(0, maxAgents)
    .filter((item) => isJsonObject(item))
    .flatMap((item) => readText(item, 'name')?.trim() ?? [])
}

function splitTexts(attributes: JsonObject, name: string): readonly string[] {
  return readTextList(attributes, name)
    .flatMap((text) => text.split(';', maxAgents))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .slice(0, maxAgents)
}
