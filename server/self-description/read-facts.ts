// Collects what is known of a dataset from its metadata alone: the one set of facts of search, citations, pages and the
// catalogues of others.
import type { JsonObject } from '@floe/storage/json'
import { shorten } from '../text/shorten.ts'
import type { DecodedDataset } from '../xarray/dataset.ts'
import { type Agent, maxNameLength, readContributors, readCreators, readPublisher } from './read-agents.ts'
import { listItems } from './extent/stac-items.ts'
import { combineExtents, type Extent, type OwnExtent, readOwnExtent } from './read-extent.ts'
import { findKind, readOwnKind } from './kind/read-kind.ts'
import type { StatedKind } from './kind/stated-kind.ts'
import { readLicence, type StatedLicence } from './read-licence.ts'
import { readText } from './read-texts.ts'
import { institutionSpellings, summarySpellings, titleSpellings } from './spellings.ts'

/** What the attributes of a dataset state, also those of the groups above it. Texts are cut. */
export type StatedFacts = {
  readonly title: string | null
  /** The attribute that the title is from. */
  readonly titleAttribute: string | null
  readonly summary: string | null
  readonly keywords: readonly string[]
  readonly licence: StatedLicence | null
  readonly creators: readonly Agent[]
  readonly contributors: readonly Agent[]
  readonly institution: string | null
  readonly publisher: Agent | null
  /** Begins with `10.`; null where none is stated. */
  readonly doi: string | null
  /** Address of a small picture, which begins with `https://`. */
  readonly thumbnail: string | null
  readonly extent: Extent
  readonly kind: StatedKind | null
}

/** Longer texts are cut, in code points. */
const maxTextLength = 5_000

const maxKeywords = 100

/**
 * Reads the facts. Each is that of the nearest group that states it.
 *
 * @param chain attributes of the group, then of the groups above it
 * @param dataset the arrays of the group, which complete its extent; undefined if xarray cannot open it
 */
export function readFacts(chain: readonly JsonObject[], dataset?: DecodedDataset): StatedFacts {
  const groups = chain.map(readOwnFacts)
  const findFirst = <Fact>(read: (own: OwnFacts) => Fact | null) =>
    groups.map(read).find((fact) => fact !== null) ?? null
  const title = findFirst((own) => own.title)
  return {
    title: title?.text ?? null,
    titleAttribute: title?.attribute ?? null,
    summary: findFirst(({ summary }) => summary),
    keywords: findFirst(({ keywords }) => keywords) ?? [],
    licence: findFirst(({ licence }) => licence),
    creators: findFirst(({ creators }) => creators) ?? [],
    contributors: findFirst(({ contributors }) => contributors) ?? [],
    institution: findFirst(({ institution }) => institution),
    publisher: findFirst(({ publisher }) => publisher),
    doi: findFirst(({ doi }) => doi),
    thumbnail: findFirst(({ thumbnail }) => thumbnail),
    extent: combineExtents(
      groups.map(({ extent }) => extent),
      dataset,
    ),
    kind: findKind(
      groups.map(({ kind }) => kind),
      dataset,
    ),
  }
}

/** Names who made a dataset: its creators, else the institution. */
export function listProducers({
  creators,
  institution,
}: Pick<StatedFacts, 'creators' | 'institution'>): readonly Agent[] {
  return creators.length > 0 || institution === null ? creators : [{ name: institution, isPerson: false }]
}

/** What the attributes of one group state; null where they do not. */
type OwnFacts = {
  readonly [Name in Exclude<keyof StatedFacts, 'title' | 'titleAttribute' | 'extent'>]: StatedFacts[Name] | null
} & { readonly title: StatedText | null; readonly extent: OwnExtent }

type StatedText = { readonly text: string; readonly attribute: string }

/** Most datasets have the same groups above them. */
const known = new WeakMap<JsonObject, OwnFacts>()

function readOwnFacts(attributes: JsonObject): OwnFacts {
  const before = known.get(attributes)
  if (before !== undefined) return before
  const licence = readLicence(attributes)
  const facts = {
    title: readTitle(attributes),
    summary: readFirst(attributes, summarySpellings, maxTextLength)?.text ?? null,
    keywords: readKeywords(attributes),
    licence: licence && { ...licence, text: shorten(licence.text.toWellFormed(), maxTextLength) },
    creators: readCreators(attributes),
    contributors: readContributors(attributes),
    institution: readFirst(attributes, institutionSpellings, maxNameLength)?.text ?? null,
    publisher: readPublisher(attributes),
    doi: readDoi(attributes),
    thumbnail: readThumbnail(attributes),
    extent: readOwnExtent(attributes),
    kind: readOwnKind(attributes),
  }
  known.set(attributes, facts)
  return facts
}

/** Reads the title: an attribute, else that of an item of STAC. */
function readTitle(attributes: JsonObject): StatedText | null {
  for (const { attributes: item, path } of listItems(attributes)) {
    const title = readFirst(item, titleSpellings, maxNameLength)
    if (title !== null) return { ...title, attribute: path + title.attribute }
  }
  return null
}

function readFirst(
  attributes: JsonObject,
  spellings: readonly { readonly name: string }[],
  maxLength: number,
): StatedText | null {
  for (const { name } of spellings) {
    const text = cut(readText(attributes, name), maxLength)
    if (text !== null) return { text, attribute: name }
  }
  return null
}

function cut(text: string | null, maxLength: number): string | null {
  return text && shorten(text.trim().toWellFormed(), maxLength)
}

function readKeywords(attributes: JsonObject): readonly string[] | null {
  const keywords = (cut(readText(attributes, 'keywords'), maxTextLength) ?? '')
    .split(',')
    .map((keyword) => keyword.trim())
    .filter((keyword) => keyword !== '')
  return keywords.length === 0 ? null : [...new Set(keywords)].slice(0, maxKeywords)
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

const thumbnailAttributes = ['thumbnail', 'thumbnail_url', 'thumbnailUrl']

/** Longest address of a thumbnail. */
const maxAddressLength = 2_000

/** Reads the address of a thumbnail. One with a user name is none, because a page would show the password. */
function readThumbnail(attributes: JsonObject): string | null {
  for (const name of thumbnailAttributes) {
    const text = attributes.get(name)
    const address = typeof text === 'string' && text.length <= maxAddressLength ? URL.parse(text) : null
    if (address?.protocol === 'https:' && address.username === '' && address.password === '') return address.href
  }
  return null
}
