// Reads who made a dataset, and its DOI, by the Attribute Convention for Data Discovery 1.3 and usual other names.
import type { JsonObject } from '@floe/storage/json'
import { readLicence, type StatedLicence } from './read-licence.ts'
import { readTexts } from './read-texts.ts'

/** What attributes state for a citation; null, or an empty list, where they state nothing. */
export type StatedCitation = {
  readonly title: string | null
  readonly creators: readonly string[]
  readonly doi: string | null
  readonly licence: StatedLicence | null
}

/** Attributes that name creators, in the order in which they count. */
const creatorAttributes = ['creator_name', 'creator', 'creators', 'author', 'authors', 'institution']

const doiAttributes = ['doi', 'DOI', 'identifier_product_doi', 'dataset_doi', 'id', 'identifier']

/** Maximum number of creators. */
const maxCreators = 100

/** Longest title and name, in characters. */
const maxTextLength = 1_000

/**
 * Reads what a group states, or inherits from the groups above it.
 *
 * @param path the attributes of the group, then those of the groups above it, the nearest first
 */
export function readCitation(path: readonly JsonObject[]): StatedCitation {
  const find = <Stated>(read: (attributes: JsonObject) => Stated | null): Stated | null => {
    for (const attributes of path) {
      const stated = read(attributes)
      if (stated !== null) return stated
    }
    return null
  }
  return {
    title: cut(find((attributes) => readTexts(attributes).title)),
    creators: find(readCreators) ?? [],
    doi: find(readDoi),
    licence: find(readLicence),
  }
}

function readCreators(attributes: JsonObject): readonly string[] | null {
  for (const name of creatorAttributes) {
    const text = attributes.get(name)
    if (typeof text !== 'string') continue
    const names = text.split(';', maxCreators).map((name) => cut(name.trim()))
    const stated = names.filter((name) => name !== '')
    if (stated.length > 0) return stated
  }
  return null
}

/** The form of a DOI, as its registration agency Crossref recommends it. */
const doiForm = /^(?:doi:\s?|https?:\/\/(?:dx\.)?doi\.org\/)?(10\.\d{4,9}\/[\w.;()/:-]{1,200})$/i

function readDoi(attributes: JsonObject): string | null {
  for (const name of doiAttributes) {
    const text = attributes.get(name)
    const [, doi] = (typeof text === 'string' && text.length < 300 && doiForm.exec(text.trim())) || []
    if (doi !== undefined) return doi
  }
  return null
}

function cut<Text extends string | null>(text: Text): Text | string {
  return text === null ? text : text.slice(0, maxTextLength).toWellFormed()
}
