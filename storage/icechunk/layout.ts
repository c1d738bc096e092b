import type { SnapshotId } from './types.ts'

/** All refs and the history of a version 2 repository, in one object. */
export const repoKey = 'repo'

/** A copy of the `repo` object from before a change. */
export function formatOverwrittenKey(name: string): string {
  return `overwritten/${name}`
}

/** The names of such copies: 14 digits, which decrease with time, and an id. */
export const overwrittenName = /^repo\.\d{14}\.[0-9A-HJKMNP-TV-Z]{19}[0G]$/

export function formatRefKey(directory: string): string {
  return `refs/${directory}/ref.json`
}

export const mainRefKey = formatRefKey('branch.main')

export function formatSnapshotKey(id: SnapshotId): string {
  return `snapshots/${id}`
}

/** The transaction log: what the commit of a snapshot changed. The first snapshot of a version 1 repository has none. */
export function formatLogKey(id: SnapshotId): string {
  return `transactions/${id}`
}
