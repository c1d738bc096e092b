// What a dataset inherits from the groups above it, unless it states its own.
import { maxIndexedText } from '@floe/contract/constants'
import type { Node, Snapshot } from '@floe/storage/icechunk'
import { DocumentAllowance, DocumentsTooLargeError, type JsonObject } from '@floe/storage/json'
import { parseGroupDocument, ZarrDocumentError } from '@floe/storage/zarr'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { findParent } from '../group-documents.ts'
import { cutText } from './cut-text.ts'
import { type Extent, readExtent } from '../../self-description/read-extent.ts'
import { readLicence } from '../../self-description/read-licence.ts'
import { readTexts, type Texts } from '../../self-description/read-texts.ts'

/** Texts and extent of a group; null where it states none. */
export type InheritedTexts = Texts & {
  /** Its identifier of SPDX, or its text if it has none. */
  readonly licence: string | null
  readonly extent: Extent
}

export const nothingInherited: InheritedTexts = {
  title: null,
  summary: null,
  keywords: null,
  licence: null,
  extent: { bbox: null, startsAt: null, endsAt: null },
}

/** Reads what the attributes of a group state. The arrays of a dataset complete its extent. */
export function readOwn(attributes: JsonObject, dataset?: DecodedDataset): InheritedTexts {
  const { title, summary, keywords } = readTexts(attributes)
  const cut = (text: string | null) => text && cutText(text, maxIndexedText)
  const licence = readLicence(attributes)
  return {
    title: cut(title),
    summary: cut(summary),
    keywords: cut(keywords),
    licence: licence && (licence.spdx ?? cut(licence.text)),
    extent: readExtent(attributes, dataset),
  }
}

/** Reads what the groups of a snapshot inherit. Keeps what it has read, because most datasets have the same parents. */
export class Inheritance {
  readonly #nodes: Snapshot['nodes']
  /** What each group states or inherits. */
  readonly #known = new Map<string, InheritedTexts>()

  constructor({ nodes }: Pick<Snapshot, 'nodes'>) {
    this.#nodes = nodes
  }

  /** Reads what a group inherits: of each text, what the nearest group above it states. */
  read(path: string): InheritedTexts {
    const parent = findParent(path)
    if (parent === undefined) return nothingInherited
    const known = this.#known.get(parent) ?? complete(this.#readOwn(parent), this.read(parent))
    this.#known.set(parent, known)
    return known
  }

  #readOwn(path: string): InheritedTexts {
    const node = this.#nodes.find(path)
    return node?.kind === 'group' ? readDocument(node) : nothingInherited
  }
}

/** Adds what a group inherits to what it states itself. */
export function complete(own: InheritedTexts, inherited: InheritedTexts): InheritedTexts {
  // As a whole: where a group states a start alone, its end may be `present`, which is null too.
  const period = own.extent.startsAt === null && own.extent.endsAt === null ? inherited.extent : own.extent
  return {
    title: own.title ?? inherited.title,
    summary: own.summary ?? inherited.summary,
    keywords: own.keywords ?? inherited.keywords,
    licence: own.licence ?? inherited.licence,
    extent: { bbox: own.extent.bbox ?? inherited.extent.bbox, startsAt: period.startsAt, endsAt: period.endsAt },
  }
}

/** A damaged document states nothing: the group itself says what is wrong with it. */
function readDocument({ document }: Node): InheritedTexts {
  try {
    return readOwn(parseGroupDocument(document, new DocumentAllowance({})).attributes)
  } catch (error) {
    if (error instanceof ZarrDocumentError || error instanceof DocumentsTooLargeError) return nothingInherited
    throw error
  }
}
