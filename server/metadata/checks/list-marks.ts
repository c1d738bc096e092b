import { type CheckExcerpt, listFirstChecks, unlessUnavailable } from '@floe/storage/database'
import { maxMarks } from '../../pages/parts/check-marks.ts'
import type { MetadataContext } from '../metadata-context.ts'
import type { RepositoryNames } from '../../catalog/find-repository.ts'

/** Lists the checks that pages show beside these snapshots. None while the database is away. */
export type ListMarks = (snapshotIds: readonly string[]) => Promise<ReadonlyMap<string, CheckExcerpt>>

export function makeListMarks({ db }: Pick<MetadataContext, 'db'>, { org, repo }: RepositoryNames): ListMarks {
  return (snapshotIds) =>
    unlessUnavailable(listFirstChecks(db, { org, repo }, snapshotIds, maxMarks), new Map<string, CheckExcerpt>())
}
