// Describes a group for the index of search: its terms with their places, and what results show.
import type { FoundVariable } from '@floe/contract'
import { type DatasetKind, maxIndexedText, noLicence, searchLimits } from '@floe/contract/constants'
import type { Snapshot } from '@floe/storage/icechunk'
import { AnswerTooLargeError, type Cancellation, type JsonObject, type JsonValue, JsonWriter } from '@floe/storage/json'
import { makeStorable } from '@floe/storage/storable-text'
import type { NumpyType } from '../../xarray/data-types.ts'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { readNodeName } from '../../groups/group-documents.ts'
import { openGroup, type StoredGroup } from '../../groups/open-group.ts'
import type { Extent } from '../../self-description/read-extent.ts'
import { readFacts, type StatedFacts } from '../../self-description/read-facts.ts'
import { cutText } from './cut-text.ts'
import { addVariable, showVariable, sortVariables } from './describe-variable.ts'
import { listTexts } from './list-texts.ts'
import { listStatedVariables } from './stated-variables.ts'
import { placeNumbers } from '../form/places.ts'
import { maxValueLength, TermCollector } from '../form/terms.ts'

/** Maximum number of places of a dataset; further ones are not indexed. */
const maxPlaces = 200_000

/** Maximum number of variables of a dataset that are indexed: the first ones. */
const maxVariables = 10_000

/** Maximum number of places of what a dataset inherits: many datasets can inherit the same long texts. */
const maxInheritedPlaces = 2_000

/** Attributes that are facts, which have places of their own. */
const factTexts: ReadonlySet<string> = new Set(['title', 'summary', 'keywords'])

/** What the index has of a dataset. */
export type DescribedDataset = {
  readonly path: string
  readonly title: string | null
  readonly summary: string | null
  readonly institution: string | null
  readonly keywords: string | null
  readonly licence: string | null
  readonly kind: DatasetKind | null
  /** Why the group is not decoded; otherwise null. */
  readonly refusal: string | null
  readonly dimensions: readonly (readonly [name: string, size: bigint])[]
  /** Data variables before coordinates, and pictures between them. */
  readonly variables: readonly Omit<FoundVariable, 'matched'>[]
  /** Number of all variables. */
  readonly variableCount: number
  /** Number of variables that are not coordinates; `measuredCount` also leaves out pictures. */
  readonly dataVariableCount: number
  readonly measuredCount: number
  readonly extent: Extent
  /** Terms with their places, in ascending order. */
  readonly terms: ReadonlyMap<string, readonly number[]>
}

/** The names of a dataset, and the attributes of the groups above it, the nearest first. */
export type DatasetNames = { readonly repo: string; readonly path: string; readonly above: readonly JsonObject[] }

/** Describes a group. A group that is not decoded is described as it is stored, with the reason. */
export function describeGroup(snapshot: Snapshot, names: DatasetNames, cancellation?: Cancellation): DescribedDataset {
  const { dataset, refusal, readStored } = openGroup(snapshot, names.path, { cancellation })
  return refusal
    ? describeDataset(names, showStored(readStored()), cutText(refusal.reason, maxIndexedText))
    : describeDataset(names, dataset)
}

/** Shows a group as it is stored in the form of a decoded one. */
function showStored({ arrays, attributes }: StoredGroup): DecodedDataset {
  const dimensions = new Map<string | null, bigint>()
  const variables = [...arrays].flatMap(([name, array]) => {
    if (array === null) return []
    const names = array.dimensionNames ?? []
    for (const [axis, dimension] of names.entries()) dimensions.set(dimension, array.shape[axis] ?? 0n)
    const { shape, attributes, dataType } = array
    const type: NumpyType = { kind: 'O', name: dataType.name, text: dataType.name, itemBytes: 8 }
    const rest = { encoding: new Map(), storedItemBytes: null, isIndexed: false }
    return { name, type, dimensions: names, shape, attributes, ...rest }
  })
  return {
    dimensions,
    variables: variables.map((variable) => ({ ...variable, isCoordinate: dimensions.has(variable.name) })),
    attributes,
  }
}

/** Describes what xarray makes of a group, or what is stored of one that it refuses. */
export function describeDataset(
  { repo, path, above }: DatasetNames,
  dataset: DecodedDataset,
  refusal: string | null = null,
): DescribedDataset {
  const { dimensions, variables, attributes } = dataset
  const facts = readTexts(readFacts([attributes, ...above], refusal === null ? dataset : undefined))
  const own = readTexts(readFacts([attributes]))
  const { institution, keywords, licence, kind } = facts
  const { measured, pictures, coordinates } = sortVariables(variables)
  const indexed = [...measured, ...pictures, ...coordinates].slice(0, maxVariables)
  const terms = new TermCollector(maxPlaces)
  const { name, text, firstVariable } = placeNumbers
  terms.addName(name, repo)
  terms.addText(name, path)
  terms.addName(name, readNodeName(path))
  terms.addName(name, own.title)
  terms.addText(text, own.summary)
  terms.addText(text, own.keywords)
  for (const [attribute, value] of attributes) {
    if (!factTexts.has(attribute)) for (const words of listTexts(value)) terms.addDescription(text, words)
    terms.addValue(text, 'attribute', writeAttribute(attribute, value))
  }
  addStatedVariables(terms, attributes)
  terms.addValue(text, 'institution', institution)
  terms.addValue(text, 'licence', licence ?? noLicence)
  terms.addValue(text, 'kind', kind)
  for (const keyword of (keywords ?? '').split(',')) terms.addValue(text, 'keyword', keyword.trim())
  addDimensions(terms, dimensions.keys())
  addInherited(terms, { own, facts, attributes, above })
  for (const [index, variable] of indexed.entries()) addVariable(terms, firstVariable + index, variable)
  return {
    path,
    ...facts,
    refusal,
    dimensions: [...dimensions]
      .slice(0, searchLimits.dimensions)
      .map(([dimension, size]) => [cutText(dimension ?? 'null', maxIndexedText), size]),
    variables: indexed.map(showVariable),
    variableCount: variables.length,
    dataVariableCount: measured.length + pictures.length,
    measuredCount: measured.length,
    terms: terms.places,
  }
}

function addDimensions(terms: TermCollector, dimensions: Iterable<string | null>): void {
  for (const dimension of dimensions) {
    const shown = cutText(dimension ?? 'null', maxIndexedText)
    terms.addText(placeNumbers.text, shown)
    terms.addValue(placeNumbers.text, 'dimension', shown)
  }
}

function addStatedVariables(terms: TermCollector, attributes: JsonObject): void {
  for (const name of listStatedVariables(attributes)) {
    terms.addName(placeNumbers.text, name)
    terms.addValue(placeNumbers.text, 'variable', name)
  }
}

/** The facts that are texts, as the index has them. */
type FactTexts = Pick<
  DescribedDataset,
  'title' | 'summary' | 'institution' | 'keywords' | 'licence' | 'kind' | 'extent'
>

function readTexts({ title, summary, institution, keywords, licence, kind, extent }: StatedFacts): FactTexts {
  const cut = (text: string | null) => text && cutText(text, maxIndexedText)
  return {
    title: cut(title),
    summary: cut(summary),
    institution: cut(institution),
    keywords: cut(keywords.join(', ')) || null,
    licence: licence && (licence.spdx ?? cut(licence.text)),
    kind: kind && kind.kind,
    extent,
  }
}

/** Adds what a dataset does not state itself: the facts, and attributes of the groups above that it does not have. */
function addInherited(
  terms: TermCollector,
  {
    own,
    facts,
    attributes,
    above,
  }: {
    readonly own: FactTexts
    readonly facts: FactTexts
    readonly attributes: JsonObject
    readonly above: readonly JsonObject[]
  },
): void {
  const { inherited } = placeNumbers
  for (const name of ['title', 'summary', 'keywords'] as const)
    if (own[name] === null) terms.addText(inherited, facts[name])
  const last = terms.count + maxInheritedPlaces
  const known = new Set([...attributes.keys(), ...factTexts])
  const added: JsonValue[] = []
  for (const group of above) {
    for (const [attribute, value] of group) {
      if (terms.count >= last) return
      if (known.has(attribute)) continue
      known.add(attribute)
      added.push(value)
      terms.addValue(inherited, 'attribute', writeAttribute(attribute, value))
    }
  }
  // Values come first, then words, then pairs: each value takes one place, and a long text would leave none for them.
  for (const add of ['addWords', 'addDescribedPairs'] as const)
    for (const text of added.values().flatMap(listTexts)) {
      if (terms.count >= last) return
      terms[add](inherited, text)
    }
}

/** Writes the value of an attribute; null if it is too long. */
function writeAttribute(name: string, value: JsonValue): string | null {
  if (typeof value === 'string') return makeStorable(`${name}=${value}`)
  try {
    return makeStorable(`${name}=${new JsonWriter(maxValueLength).write<unknown>(value).toString('latin1')}`)
  } catch (error) {
    if (error instanceof AnswerTooLargeError) return null
    throw error
  }
}
