import type { ManifestId, SnapshotId } from './types.ts'

/** The key of the object with all refs and the history of a version 2 repository. */
export const repoKey = 'repo'

/** The key of the configuration of a version 1 repository, which may have none. */
export const configKey = 'config.yaml'

/** The key of a copy of the `repo` object from before a change. */
export function formatOverwrittenKey(name: string): string {
  return `overwritten/${name}`
}

/** The form of the names of such copies: 14 digits, which decrease with time, and an id. */
export const overwrittenName = /^repo\.\d{14}\.[0-9A-HJKMNP-TV-Z]{19}[0G]$/

export function formatRefKey(directory: string): string {
  return `refs/${directory}/ref.json`
}

export const mainRefKey = formatRefKey('branch.main')

export function formatSnapshotKey(id: SnapshotId): string {
  return `snapshots/${id}`
}

export function formatManifestKey(id: ManifestId): string {
  return `manifests/${id}`
}

/** The key of the log of what a commit changed. The first snapshot of a version 1 repository has no log. */
export function formatLogKey(id: SnapshotId): string {
  return `transactions/${id}`
}
