// Describes a group for the index of search: its terms, the texts of phrases, and what results show.
import { hash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type FoundVariable, maxIndexedText } from '@floe/contract'
import type { IndexedDataset } from '@floe/storage/database'
import type { Node, Snapshot } from '@floe/storage/icechunk'
import {
  AnswerTooLargeError,
  type Cancellation,
  DocumentAllowance,
  DocumentsTooLargeError,
  type JsonObject,
  type JsonValue,
  JsonWriter,
} from '@floe/storage/json'
import { makeStorable } from '@floe/storage/storable-text'
import { shorten } from '../../http/representation/shorten.ts'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { decodeGroup } from '../../xarray/decode-group.ts'
import { CannotDecodeError } from '../../xarray/variable.ts'
import { readGroupDocuments } from '../group-documents.ts'
import { readExtent } from './extent.ts'
import { addWords, writeWords } from './words.ts'

/**
 * Part of the fingerprints. Increase it when the description of an unchanged group changes, and let a migration clear
 * `heads.indexed_snapshot_id`, because only then are all groups compared.
 */
const descriptionVersion = '1'

/** Most different values of one kind for a dataset; others are not indexed. */
const maxValues = 5_000

/** Longest value, in UTF-16 code units. Longer ones are found by their words alone: an index of PostgreSQL takes 2,704 bytes. */
const maxValueLength = 512

/** What results show of a dataset: the JSON of `IndexedDataset.content`. */
export type IndexedContent = {
  readonly title: string | null
  readonly summary: string | null
  readonly refusal: string | null
  readonly dimensions: readonly (readonly [name: string, size: number])[]
  readonly variables: readonly Omit<FoundVariable, 'matched'>[]
}

/** Compressed, because it is most of the index otherwise. */
function writeContent(content: IndexedContent): string {
  return deflateRawSync(JSON.stringify(content)).toString('base64')
}

/** Reads what {@link describeDatasets} has written. */
export function readContent(content: string): IndexedContent {
  // Written by the function above from a value of this type.
  return JSON.parse(inflateRawSync(Buffer.from(content, 'base64')).toString()) as IndexedContent
}

/**
 * Computes a fingerprint of what decides the description of a group: the documents of the group and its members.
 *
 * @throws RequestProblem `group-not-found`
 */
export function fingerprintGroup({ nodes }: Pick<Snapshot, 'nodes'>, path: string, children: readonly Node[]): string {
  const parts = [nodes.find(path), ...children].flatMap((node) => (node ? listParts(node) : []))
  return hash('sha1', Buffer.concat([Buffer.from(descriptionVersion), ...parts]), 'base64url')
}

function listParts({ path, kind, document }: Node): readonly Uint8Array[] {
  return [Buffer.from(`${path}\0${kind}\0${document.byteLength}\0`), document]
}

/** Length of the descriptions of one answer, in UTF-16 code units. A single one may be longer. */
const describedLength = 1_000_000

/** Describes the first of these groups, as many as fit into one answer, and at least one. */
export function describeDatasets(
  snapshot: Snapshot,
  paths: readonly string[],
  cancellation?: Cancellation,
): readonly IndexedDataset[] {
  const described: IndexedDataset[] = []
  let length = 0
  for (const path of paths) {
    const dataset = describeDataset(snapshot, path, cancellation)
    length += dataset.content.length + dataset.words.length
    if (length > describedLength && described.length > 0) break
    described.push(dataset)
  }
  return described
}

/** Describes a group. A group that xarray cannot open is described by its path and the reason. */
function describeDataset(snapshot: Snapshot, path: string, cancellation?: Cancellation): IndexedDataset {
  const fingerprint = fingerprintGroup(snapshot, path, snapshot.nodes.listChildren(path))
  try {
    const { group, members } = readGroupDocuments(snapshot, path, new DocumentAllowance({}, cancellation))
    return { path, fingerprint, ...describe(path, decodeGroup(group, members, cancellation)) }
  } catch (error) {
    if (!(error instanceof CannotDecodeError || error instanceof DocumentsTooLargeError)) throw error
    const undecoded = { dimensions: new Map(), variables: [], attributes: new Map() }
    return { path, fingerprint, ...describe(path, undecoded, cutText(error.message)) }
  }
}

/** Describes what xarray makes of a group, or why it cannot. */
export function describe(
  path: string,
  { dimensions, variables, attributes }: DecodedDataset,
  refusal: string | null = null,
): Omit<IndexedDataset, 'path' | 'fingerprint'> {
  const content: IndexedContent = {
    title: readText(attributes, 'title'),
    summary: readText(attributes, 'summary'),
    refusal,
    dimensions: [...dimensions].map(([name, size]) => [cutText(name ?? 'null'), Number(size)]),
    variables: variables.map(({ name, type, dimensions, attributes }) => ({
      name: cutText(name),
      standard_name: readText(attributes, 'standard_name'),
      long_name: readText(attributes, 'long_name'),
      units: readText(attributes, 'units'),
      type: type.name,
      dimensions: dimensions.map((dimension) => cutText(dimension ?? 'null')),
    })),
  }
  const found = content.variables
  const dimensionNames = content.dimensions.map(([name]) => name)
  const keywords = readText(attributes, 'keywords')
  const institution = readText(attributes, 'institution')
  const named = [path, content.title, ...found.flatMap(({ name, standard_name }) => [name, standard_name])]
  const others = [content.summary, keywords, institution, readText(attributes, 'source')]
  const ofVariables = found.flatMap(({ long_name, units }) => [long_name, units])
  const texts = [...named, ...others, ...ofVariables, ...dimensionNames]
  const names = listWords(named)
  const inNames = new Set(names)
  return {
    terms: {
      name: names,
      word: listWords(texts).filter((word) => !inNames.has(word)),
      variable: listValues(found.map(({ name }) => name)),
      standard_name: listValues(found.map(({ standard_name }) => standard_name)),
      units: listValues(found.map(({ units }) => units)),
      dimension: listValues(dimensionNames),
      dtype: listValues(found.map(({ type }) => type)),
      institution: listValues([institution]),
      keyword: listValues((keywords ?? '').split(',').map((keyword) => keyword.trim())),
      attribute: listValues([...attributes].map(([name, value]) => writeAttribute(name, value))),
    },
    words: [...new Set(texts.map((text) => writeWords(text ?? '')))].map((text) => ` ${text} `).join('\n'),
    content: writeContent(content),
    ...readExtent(attributes),
  }
}

/** Reads a text of the attributes, without what databases refuse; null when it is none or is empty. */
function readText(attributes: JsonObject, name: string): string | null {
  const value = attributes.get(name)
  return typeof value === 'string' && value !== '' ? cutText(value) : null
}

function cutText(text: string): string {
  return makeStorable(shorten(text, maxIndexedText))
}

/** Writes the term of an attribute; null for a value that is too long. */
function writeAttribute(name: string, value: JsonValue): string | null {
  if (typeof value === 'string') return makeStorable(`${name}=${value}`)
  try {
    return makeStorable(`${name}=${new JsonWriter(maxValueLength).write<unknown>(value).toString('latin1')}`)
  } catch (error) {
    if (error instanceof AnswerTooLargeError) return null
    throw error
  }
}

function listWords(texts: readonly (string | null)[]): readonly string[] {
  const words = new Set<string>()
  for (const text of new Set(texts)) if (text !== null && words.size < maxValues) addWords(words, text)
  return [...words]
}

function listValues(values: readonly (string | null)[]): readonly string[] {
  const fitting = values.filter((value) => value !== null && value !== '' && value.length <= maxValueLength)
  return [...new Set(fitting)].filter((value) => value !== null).slice(0, maxValues)
}
