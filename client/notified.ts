// What a receiver of a notification reads next: the snapshot that it names, and the commits that it left out.
import type { Notified, RefAddress } from './addresses.ts'
import type { Client } from './client.ts'
import type { NewCommitDetails } from './generated/types.ts'

/** The methods of a client that read a ref. */
type RefReader = Pick<Client, 'datasets' | 'info' | 'keys' | 'dict' | 'page' | 'history'>

/**
 * Makes the methods that depend on a notification.
 *
 * @param org - the organisation of the client
 * @param listRange - lists a history, and rejects when it does not hold `until`
 */
export function makeNotifiedMethods(
  org: string,
  floe: RefReader,
  listRange: Client['history'],
): Pick<Client, 'at' | 'missed'> {
  const findSnapshot = (notified: Notified): RefAddress => {
    const { org_name, repo_name, snapshot_id } = readDetails(notified)
    if (org_name !== org) throw new TypeError(`the notification is of ${org_name}, and the client of ${org}`)
    return { repo: repo_name, ref: snapshot_id }
  }
  return {
    at: (notified) => {
      const names = findSnapshot(notified)
      return {
        datasets: (group = {}, call) => floe.datasets({ ...group, ...names }, call),
        info: (group = {}, call) => floe.info({ ...group, ...names }, call),
        keys: (group = {}, call) => floe.keys({ ...group, ...names }, call),
        dict: (group = {}, call) => floe.dict({ ...group, ...names }, call),
        page: (group = {}, call) => floe.page({ ...group, ...names }, call),
        history: (part = {}, call) => floe.history({ ...part, ...names }, call),
      }
    },
    missed: (notified, call) => {
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
