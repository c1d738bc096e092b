import type { EventTexts, Notice } from '@floe/storage/database'
import { describeEvent } from '../events/describe-event.ts'

/** Writes the texts of a notice. */
export function describeNotice(notice: Notice): EventTexts {
  const { org, repo, repoId, name } = notice
  return describeEvent(name, { org, name: repo, id: repoId }, listDetails(notice))
}

function listDetails(notice: Notice) {
  if ('since' in notice) {
    const reason = notice.name === 'RepositoryUnreadable' && { reason: notice.reason }
    return { unreadable_since: notice.since.toISOString(), ...reason }
  }
  const { receiver } = notice
  return {
    receiver_id: receiver.id,
    receiver_alias: receiver.alias,
    receiver_kind: receiver.kind,
    receiver_scope: receiver.repoId === null ? 'organisation' : 'repository',
    failing_since: notice.failingSince.toISOString(),
    last_status: notice.lastStatus,
    ...(notice.name === 'ReceiverDisabled' && { reason: notice.reason }),
  }
}
