// A dataset as it is described to the catalogues of others. Each catalogue has its own spelling of these facts.
import type { StatedFacts } from '../../self-description/read-facts.ts'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import type { PageSubject } from '../page-subject.ts'
import type { Refusal } from '../parts/refusal.ts'

export type DatasetRecord = {
  readonly at: Pick<PageSubject, 'deployment' | 'repository' | 'ref' | 'published'> & {
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

/** Names a dataset: its title, else its path. */
export function nameDataset({ at, group, facts }: DatasetRecord): string {
  return facts.title ?? pathOfDataset(at.repository, group)
}

/** `REPOSITORY/GROUP`, or the repository for the root group. */
export function pathOfDataset(repository: string, group: string): string {
  return group === '' ? repository : `${repository}/${group}`
}

const maxNamed = 10

/** Describes a dataset: its summary, else the names of its first variables. */
export function summarizeDataset({ at, group, facts, variables }: DatasetRecord): string {
  if (facts.summary !== null) return facts.summary
  const names = variables
    .filter(({ isCoordinate }) => !isCoordinate)
    .map(({ name }) => name.slice(0, 100).toWellFormed())
  const place = `${pathOfDataset(at.repository, group)} at ${at.ref.name}`
  if (names.length === 0) return `A group of ${place}`
  const more = names.length > maxNamed ? ` and ${(names.length - maxNamed).toLocaleString('en')} more` : ''
  return `Variables ${names.slice(0, maxNamed).join(', ')}${more} of ${place}`
}

/**
 * Writes an instant of ISO 8601; null for a year before 1, which ISO 8601 has and the dates of Python, XML and others
 * have not.
 */
export function writeInstant(instant: number | null): string | null {
  return instant === null || instant < Date.parse('0001-01-01T00:00Z') ? null : new Date(instant).toISOString()
}
