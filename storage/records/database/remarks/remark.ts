// Remarks: what administrators say of a repository.
import type { EventNameAbout, RemarkKind } from '@floe/contract/lists'
import type { Selectable } from 'kysely'
import type { EventTexts } from '../events/new-event.ts'
import type { RemarksTable } from '../tables.ts'
import type { RecordedRepository } from '../repositories.ts'

/** What is to be used instead: a repository of the organisation, perhaps a ref of it; or a link. */
export type Successor = { readonly repo: string | null; readonly ref: string | null; readonly link: string | null }

/**
 * What a remark is about: whatever matches all that it names. It names snapshots or a ref, or neither, and perhaps a
 * path. A remark that names nothing is about the whole repository.
 */
type RemarkTarget = {
  /** The first and the last of the snapshots, which are the same if there is one. */
  readonly range: { readonly from: string; readonly to: string } | null
  /** A branch or a tag. */
  readonly ref: string | null
  /** A group with all that is in it, or an array. */
  readonly path: string | null
}

/** What a remark says. */
export type RemarkWords = {
  readonly text: string
  /** When a note is shown. Null for always. A retraction has neither. */
  readonly since: Date | null
  readonly until: Date | null
  readonly supersededBy: Successor | null
}

export type Remark = RemarkTarget &
  RemarkWords & { readonly id: string; readonly kind: RemarkKind; readonly createdAt: Date; readonly updatedAt: Date }

/** A remark that is added, with the snapshots of its range. */
export type NewRemark = Omit<Remark, 'id' | 'createdAt' | 'updatedAt'> & { readonly snapshotIds: readonly string[] }

/** Maximum number of remarks of a repository. */
export const maxRemarks = 100

/** The event that tells of a remark. */
export const remarkEvents = { note: 'NotePosted', retraction: 'SnapshotRetracted' } as const satisfies Record<
  RemarkKind,
  EventNameAbout<'remark'>
>

/** Writes the texts of the event of a remark. */
export type DescribeRemark = (repository: RecordedRepository, remark: Remark) => EventTexts

export function readRemark(row: Selectable<RemarksTable>): Remark {
  const { id, kind, from_id: from, to_id: to, ref, path, text } = row
  return {
    id,
    kind,
    range: from === null || to === null ? null : { from, to },
    ref,
    path,
    text,
    since: row.since === null ? null : new Date(row.since),
    until: row.until === null ? null : new Date(row.until),
    // Only `writeWords` writes it.
    supersededBy: row.superseded_by === null ? null : (JSON.parse(row.superseded_by) as Successor),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }
}

/** The columns of what a remark says. */
export function writeWords({ text, since, until, supersededBy }: RemarkWords) {
  return {
    text,
    since: since?.getTime() ?? null,
    until: until?.getTime() ?? null,
    superseded_by: supersededBy && JSON.stringify(supersededBy),
  }
}
