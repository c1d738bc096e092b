import type { CheckState } from '@floe/contract/lists'
import type { Selectable } from 'kysely'
import type { ChecksTable } from '../tables.ts'

/** What a check says of a snapshot. */
export type CheckResult = {
  /** Unique among the checks of the snapshot. Has no slash. */
  readonly name: string
  readonly state: CheckState
  readonly text: string | null
  readonly link: string | null
  readonly figures: CheckFigures
}

/** Numbers by their names. */
export type CheckFigures = Readonly<Record<string, { readonly value: number; readonly unit?: string | undefined }>>

/** A check of a snapshot as it was posted last. */
export type Check = CheckResult & { readonly postedAt: Date }

/** Maximum numbers of checks. Of a repository, the newest are kept. */
export const maxChecks = { ofSnapshot: 50, ofRepository: 10_000 } as const

export function readCheck({ name, state, text, link, figures, posted_at }: Selectable<ChecksTable>): Check {
  // Only `postChecks` writes this column.
  return { name, state, text, link, figures: JSON.parse(figures) as CheckFigures, postedAt: new Date(posted_at) }
}
