// Collects what is known of a dataset from its metadata alone, for citations and the catalogues of others.
import type { JsonObject } from '@floe/storage/json'
import { shorten } from '../text/shorten.ts'
import type { DecodedDataset } from '../xarray/dataset.ts'
import { type Extent, readExtent } from './read-extent.ts'
import { readLicence, type StatedLicence } from './read-licence.ts'
import { readText, readTextList } from './read-texts.ts'

/** What the attributes of a dataset state, also those of the groups above it. Texts are cut. */
export type StatedFacts = {
  readonly title: string | null
  readonly summary: string | null
  readonly keywords: readonly string[]
  readonly licence: StatedLicence | null
  /** Names of persons or organisations. */
  readonly creators: readonly string[]
  readonly institution: string | null
  readonly publisher: string | null
  /** Begins with `10.`; null where none is stated. */
  readonly doi: string | null
  readonly extent: Extent
}

/** Longer texts are cut, in code points. */
const maxTextLength = 5_000
const maxNameLength = 300

const maxKeywords = 100
const maxCreators = 100

/**
 * Reads the facts. Each is that of the nearest group that states it.
 *
 * @param chain attributes of the group, then of the groups above it
 * @param dataset completes the extent of the group; undefined if xarray cannot open it
 */
export function readFacts(chain: readonly JsonObject[], dataset?: DecodedDataset): StatedFacts {
  const findFirst = <Fact>(read: (attributes: JsonObject) => Fact | null) =>
    chain
      .values()
      .map(read)
      .find((fact) => fact !== null) ?? null
  const text = (name: string, maxLength = maxTextLength) =>
    cut(
      findFirst((one) => readText(one, name)),
      maxLength,
    )
  const extents = chain.map((attributes, index) => readExtent(attributes, index === 0 ? dataset : undefined))
  // As a whole: where a group states a start alone, its end may be `present`, which is null too.
  const period = extents.find(({ startsAt, endsAt }) => startsAt !== null || endsAt !== null)
  const licence = findFirst(readLicence)
  return {
    title: text('title', maxNameLength),
    summary: text('summary'),
    keywords: splitKeywords(text('keywords')),
    licence: licence && { ...licence, text: shorten(licence.text.toWellFormed(), maxTextLength) },
    creators: findFirst(readCreators) ?? [],
    institution: text('institution', maxNameLength),
    publisher: text('publisher_name', maxNameLength),
    doi: findFirst(readDoi),
    extent: {
      bbox: extents.find(({ bbox }) => bbox !== null)?.bbox ?? null,
      startsAt: period?.startsAt ?? null,
      endsAt: period?.endsAt ?? null,
    },
  }
}

function cut(text: string | null, maxLength: number): string | null {
  return text && shorten(text.trim().toWellFormed(), maxLength)
}

function splitKeywords(text: string | null): readonly string[] {
  const keywords = (text ?? '').split(',').map((keyword) => keyword.trim())
  return [...new Set(keywords)].filter((keyword) => keyword !== '').slice(0, maxKeywords)
}

/** The names of creators: an attribute of ACDD, else those that are usual elsewhere. Semicolons separate names. */
function readCreators(attributes: JsonObject): readonly string[] | null {
  const lists = ['creator_name', 'creator', 'creators', 'author', 'authors'].map((name) =>
    readTextList(attributes, name)
      .flatMap((text) => text.split(';', maxCreators))
      .map((text) => text.trim())
      .filter((text) => text !== ''),
  )
  const names = lists.find((list) => list.length > 0)
  return names?.slice(0, maxCreators).map((name) => shorten(name.toWellFormed(), maxNameLength)) ?? null
}

/** A DOI, with or without the address that resolves it. Source: the form that the agency Crossref recommends. */
const doi = /^(?:doi: ?|https?:\/\/(?:dx\.)?doi\.org\/)?(10\.\d{4,9}\/[\w.()/:;<>+=#-]{1,200})$/i

const doiAttributes = ['doi', 'DOI', 'product_doi', 'identifier_product_doi', 'dataset_doi', 'id', 'identifier']

function readDoi(attributes: JsonObject): string | null {
  for (const name of doiAttributes) {
    const text = readText(attributes, name)
    const [, found] = (text !== null && text.length <= maxNameLength && doi.exec(text.trim())) || []
    if (found !== undefined) return found
  }
  return null
}
