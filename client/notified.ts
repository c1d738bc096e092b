// What a receiver of a notification reads next: the snapshot that it names, and the commits that it left out.
import type { DatasetDict, DatasetInfo, DatasetKeys, HistoryCommit, NewCommit, NewCommitDetails } from '@floe/contract'
import type { GroupAddress, RefAddress } from './addresses.ts'
import type { HistorySelection } from './history.ts'
import type { CallOptions } from './route-caller.ts'

/** A notification, or its `details` alone. */
export type Notified = NewCommit | NewCommitDetails

/** A group of a snapshot. A missing or empty `group` means the root group. */
export type GroupOfSnapshot = Omit<GroupAddress, keyof RefAddress>

/** The methods of a client that read a ref. */
type RefReader = {
  readonly datasets: (names: GroupAddress, call?: CallOptions) => Promise<string[]>
  readonly info: (names: GroupAddress, call?: CallOptions) => Promise<DatasetInfo>
  readonly keys: (names: GroupAddress, call?: CallOptions) => Promise<DatasetKeys>
  readonly dict: (names: GroupAddress, call?: CallOptions) => Promise<DatasetDict>
  readonly page: (names: GroupAddress, call?: CallOptions) => Promise<string>
  readonly history: ListHistory
}

type ListHistory = (selection: HistorySelection, call?: CallOptions) => AsyncGenerator<HistoryCommit, void, undefined>

/**
 * Makes the methods that depend on a notification.
 *
 * @param org - the organisation of the client
 * @param listRange - lists a history, and rejects when it does not hold `until`
 */
export function makeNotifiedMethods(org: string, floe: RefReader, listRange: ListHistory) {
  const findSnapshot = (notified: Notified): RefAddress => {
    const { org_name, repo_name, snapshot_id } = readDetails(notified)
    if (org_name !== org) throw new TypeError(`the notification is of ${org_name}, and the client of ${org}`)
    return { repo: repo_name, ref: snapshot_id }
  }
  return {
    /**
     * A client of just the repository and the snapshot of a notification: however the branch moves on, all answers are of that
     * snapshot.
     *
     * @throws TypeError when the notification is of another organisation
     * @example
     * ```ts
     * const { dimensions } = await floe.at(details).info({ group: 'wind/speed' })
     * ```
     */
    at: (notified: Notified) => {
      const names = findSnapshot(notified)
      return {
        /** As `datasets` of the client. */
        datasets: (group: GroupOfSnapshot = {}, call?: CallOptions) => floe.datasets({ ...group, ...names }, call),
        /** As `info` of the client. */
        info: (group: GroupOfSnapshot = {}, call?: CallOptions) => floe.info({ ...group, ...names }, call),
        /** As `keys` of the client. */
        keys: (group: GroupOfSnapshot = {}, call?: CallOptions) => floe.keys({ ...group, ...names }, call),
        /** As `dict` of the client. */
        dict: (group: GroupOfSnapshot = {}, call?: CallOptions) => floe.dict({ ...group, ...names }, call),
        /** As `page` of the client. */
        page: (group: GroupOfSnapshot = {}, call?: CallOptions) => floe.page({ ...group, ...names }, call),
        /** As `history` of the client. */
        history: (part: Omit<HistorySelection, keyof RefAddress> = {}, call?: CallOptions) =>
          floe.history({ ...part, ...names }, call),
      }
    },
    /**
     * Iterates over the commits of a notification that came without a list of them (`too_many_commits`, `repo_format_v1`): newest first,
     * from its head back to, and without, its previous head. Of a notification with a list, the same commits as in the list. Rejects with a
     * HistoryRewrittenError when it turns out that the previous head is no longer an ancestor. In format version 1 that shows only at the
     * end of the history.
     *
     * @throws TypeError when the notification is of another organisation, or its reason (`first_observation`, `history_rewritten`) says that
     * there is no such range
     */
    missed: (notified: Notified, call?: CallOptions) => {
      const { previous_snapshot_id: until, commits_unavailable_reason: reason } = readDetails(notified)
      if (until === null || reason === 'history_rewritten') {
        throw new TypeError(`no commits lie between the heads of a notification with the reason ${reason}`)
      }
      return listRange({ ...findSnapshot(notified), until }, call)
    },
  }
}

function readDetails(notified: Notified): NewCommitDetails {
  return 'details' in notified ? notified.details : notified
}
