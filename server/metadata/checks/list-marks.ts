import { type CheckExcerpt, explainUnavailable, listFirstChecks } from '@floe/storage/database'
import { maxMarks } from '../../pages/commits/check-marks.ts'
import type { MetadataContext } from '../metadata-context.ts'

/** Lists the checks that pages show beside these snapshots. None while the database is away. */
export type ListMarks = (snapshotIds: readonly string[]) => Promise<ReadonlyMap<string, CheckExcerpt>>

export function makeListMarks(
  { db }: Pick<MetadataContext, 'db'>,
  { org, repo }: { readonly org: string; readonly repo: string },
): ListMarks {
  return async (snapshotIds) => {
    try {
      return await listFirstChecks(db, { org, repo }, snapshotIds, maxMarks)
    } catch (error) {
      if (explainUnavailable(error) === undefined) throw error
      return new Map()
    }
  }
}
