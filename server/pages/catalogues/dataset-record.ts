// A dataset as it is described to the catalogues of others. Each catalogue has its own spelling of these facts.
import type { Remark } from '@floe/contract'
import type { JsonObject } from '@floe/storage/json'
import { findRetraction, selectRemarks } from '../../remarks/select-remarks.ts'
import type { StatedFacts } from '../../self-description/read-facts.ts'
import type { DecodedDataset, DecodedVariable } from '../../xarray/dataset.ts'
import { shorten } from '../../text/shorten.ts'
import type { PageSubject } from '../page-subject.ts'
import { writeRemark } from '../parts/remark-notes.ts'
import type { Refusal } from '../parts/refusal.ts'

export type DatasetRecord = {
  readonly at: Pick<PageSubject, 'deployment' | 'repository' | 'ref' | 'published' | 'remarks'> & {
    readonly commit: Pick<PageSubject['commit'], 'snapshotId' | 'writtenAt'>
  }
  /** Path without a leading slash; the root group is `''`. */
  readonly group: string
  readonly facts: StatedFacts
  readonly dimensions: DecodedDataset['dimensions']
  readonly variables: DecodedDataset['variables']
  /** Why the group is not decoded; null if it is. */
  readonly refusal: Refusal | null
}

/** A repository, and what its metadata states. */
export type DescribedRepository = {
  readonly repo: string
  readonly facts: Pick<StatedFacts, 'title' | 'summary' | 'thumbnail'>
}

/** Names a dataset: its title, else its path. */
export function nameDataset({ at, group, facts }: DatasetRecord): string {
  return facts.title ?? pathOfDataset(at.repository, group)
}

/** `REPOSITORY/GROUP`, or the repository for the root group. */
export function pathOfDataset(repository: string, group: string): string {
  return group === '' ? repository : `${repository}/${group}`
}

/** Lists facts by name that catalogues have no other place for. */
export function listFacts({ at, dimensions, facts: { extent, licence, doi } }: DatasetRecord) {
  const [start, end] = [writeInstant(extent.startsAt), writeInstant(extent.endsAt)]
  const sizes = [...dimensions].map(([name, size]) => `${name ?? 'null'}: ${size}`)
  return {
    [at.ref.kind]: at.ref.name,
    snapshot: at.commit.snapshotId,
    dimensions: sizes.length > 0 ? sizes.join(', ') : undefined,
    bbox: extent.bbox?.join(', '),
    time: start === null && end === null ? undefined : `${start ?? '..'}/${end ?? '..'}`,
    license: licence ? (licence.spdx ?? licence.text) : undefined,
    doi: doi ?? undefined,
  }
}

const maxNamed = 10

/** Maximum number of remarks in a description. */
const maxRemarks = 5

/** Describes a dataset: what administrators say of it, then its summary, else the names of its first variables. */
export function summarizeDataset(record: DatasetRecord): string {
  const remarks = selectRemarks(record.at.remarks, record.group).slice(0, maxRemarks)
  return [...remarks.map(writeRemark), describeContent(record)].join('\n\n')
}

/** The retraction of a dataset; undefined if it is not retracted. */
export function readRetraction({ at, group }: Pick<DatasetRecord, 'at' | 'group'>): Remark | undefined {
  return findRetraction(at.remarks, group)
}

function describeContent({ at, group, facts, variables }: DatasetRecord): string {
  if (facts.summary !== null) return facts.summary
  const names = variables
    .filter(({ isCoordinate }) => !isCoordinate)
    .map(({ name }) => name.slice(0, 100).toWellFormed())
  const place = `${pathOfDataset(at.repository, group)} at ${at.ref.name}`
  if (names.length === 0) return `A group of ${place}`
  const more = names.length > maxNamed ? ` and ${(names.length - maxNamed).toLocaleString('en')} more` : ''
  return `Variables ${names.slice(0, maxNamed).join(', ')}${more} of ${place}`
}

/** Longer texts of variables are cut, in code points. */
const maxTextLength = 300

/** Reads a text of a variable, such as its units; undefined if it states none. */
export function readText(attributes: JsonObject | undefined, name: string): string | undefined {
  const value = attributes?.get(name)
  return typeof value === 'string' && value !== '' ? cutText(value) : undefined
}

/** Describes a variable: its `long_name`, else its `standard_name`, with its units; undefined if it states none. */
export function summarizeVariable({ attributes }: DecodedVariable): string | undefined {
  const units = readText(attributes, 'units')
  const name = readText(attributes, 'long_name') ?? readText(attributes, 'standard_name')
  const texts = [name, units && `[${units}]`].filter((text) => text !== undefined)
  return texts.length > 0 ? texts.join(' ') : undefined
}

/** Cuts a text of a variable. */
export function cutText(text: string): string {
  return shorten(text.toWellFormed(), maxTextLength)
}

/**
 * Writes an instant of ISO 8601; null for a year before 1, which ISO 8601 has and the dates of Python, XML and others
 * have not.
 */
export function writeInstant(instant: number | null): string | null {
  return instant === null || instant < Date.parse('0001-01-01T00:00Z') ? null : new Date(instant).toISOString()
}
