import type { HistoryPage } from '@floe/contract'
import { type Commit, type History, readAuthorId } from '@floe/storage/icechunk'
import type { Encodable } from '@floe/storage/json'

/** Describes a part of a history as the contract has it. */
export function describeHistory({ commits, next, untilFound, missing }: History): Encodable<HistoryPage> {
  return { commits: commits.values().map(describeCommit), next, until_found: untilFound, missing_snapshot_id: missing }
}

function describeCommit({
  id,
  parentId,
  message,
  writtenAt,
  metadata,
}: Commit): Encodable<HistoryPage['commits'][number]> {
  return {
    snapshot_id: id,
    parent_snapshot_id: parentId,
    commit_message: message,
    written_at: writtenAt.toISOString(),
    author_id: readAuthorId(metadata),
    metadata,
  }
}
