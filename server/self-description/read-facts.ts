// Collects what is known of a dataset from its metadata alone: the one set of facts of search, citations, pages and the
// catalogues of others.
import type { JsonObject } from '@floe/storage/json'
import { shorten } from '../text/shorten.ts'
import type { DecodedDataset } from '../xarray/dataset.ts'
import { type Agent, maxNameLength, readContributors, readCreators, readPublisher } from './read-agents.ts'
import { listItems } from './extent/stac-items.ts'
import { combineExtents, type Extent, type OwnExtent, readOwnExtent } from './read-extent.ts'
import { readLicence, type StatedLicence } from './read-licence.ts'
import { readText } from './read-texts.ts'
import { institutionSpellings, titleSpellings } from './spellings.ts'

/** What the attributes of a dataset state, also those of the groups above it. Texts are cut. */
export type StatedFacts = {
  readonly title: string | null
  readonly summary: string | null
  readonly keywords: readonly string[]
  readonly licence: StatedLicence | null
  readonly creators: readonly Agent[]
  readonly contributors: readonly Agent[]
  readonly institution: string | null
  readonly publisher: Agent | null
  /** Begins with `10.`; null where none is stated. */
  readonly doi: string | null
  readonly extent: Extent
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
  return {
    title: findFirst(({ title }) => title),
    summary: findFirst(({ summary }) => summary),
    keywords: findFirst(({ keywords }) => keywords) ?? [],
    licence: findFirst(({ licence }) => licence),
    creators: findFirst(({ creators }) => creators) ?? [],
    contributors: findFirst(({ contributors }) => contributors) ?? [],
    institution: findFirst(({ institution }) => institution),
    publisher: findFirst(({ publisher }) => publisher),
    doi: findFirst(({ doi }) => doi),
    extent: combineExtents(
      groups.map(({ extent }) => extent),
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
type OwnFacts = { readonly [Name in Exclude<keyof StatedFacts, 'extent'>]: StatedFacts[Name] | null } & {
  readonly extent: OwnExtent
}

/** Most datasets have the same groups above them. */
const known = new WeakMap<JsonObject, OwnFacts>()

function readOwnFacts(attributes: JsonObject): OwnFacts {
  const before = known.get(attributes)
  if (before !== undefined) return before
  const licence = readLicence(attributes)
  const facts = {
    title: readTitle(attributes),
    summary: cut(readText(attributes, 'summary'), maxTextLength),
    keywords: readKeywords(attributes),
    licence: licence && { ...licence, text: shorten(licence.text.toWellFormed(), maxTextLength) },
    creators: readCreators(attributes),
    contributors: readContributors(attributes),
    institution: readFirst(attributes, institutionSpellings, maxNameLength),
    publisher: readPublisher(attributes),
    doi: readDoi(attributes),
    extent: readOwnExtent(attributes),
  }
  known.set(attributes, facts)
  return facts
}

/** Reads the title: an attribute, else that of an item of STAC. */
function readTitle(attributes: JsonObject): string | null {
  const titles = listItems(attributes).map((item) => readFirst(item, titleSpellings, maxNameLength))
  return titles.find((title) => title !== null) ?? null
}

function readFirst(
  attributes: JsonObject,
  spellings: readonly { readonly name: string }[],
  maxLength: number,
): string | null {
  for (const { name } of spellings) {
    const text = readText(attributes, name)
    if (text !== null) return cut(text, maxLength)
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
