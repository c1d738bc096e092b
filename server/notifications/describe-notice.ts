// Describes a notice: the payload for webhooks and the line of text for chats. Neither contains a URL or a text of
// another service.
import { SentNotice } from '@floe/contract'
import type { EventTexts, Notice } from '@floe/storage/database'
import { cutLine } from '../text/cut-line.ts'

/** Writes the texts of a notice. */
export function describeNotice(notice: Notice): EventTexts {
  const { org, repo, repoId, name } = notice
  const details = { org_name: org, repo_name: repo, repo_id: repoId, ...listDetails(notice) }
  return { payload: JSON.stringify(SentNotice.parse({ event: name, details })), line: cutLine(writeLine(notice)) }
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

function writeLine(notice: Notice): string {
  const repository = `${notice.org}/${notice.repo}`
  switch (notice.name) {
    case 'ReceiverDisabled': {
      const why = notice.reason === 'gone' ? 'it answered 410' : 'a delivery failed too often'
      return `${nameReceiver(notice)} was disabled: ${why}`
    }
    case 'ReceiverFailing':
      return `${nameReceiver(notice)} has been failing since ${notice.failingSince.toISOString()}`
    case 'RepositoryUnreadable':
      return `${repository} has been unreadable since ${notice.since.toISOString()}: ${notice.reason}`
    case 'RepositoryBack':
      return `${repository} can be read again; it was unreadable since ${notice.since.toISOString()}`
  }
}

function nameReceiver({ org, repo, receiver }: Extract<Notice, { receiver: unknown }>): string {
  return `${receiver.kind} "${receiver.alias}" of ${receiver.repoId === null ? org : `${org}/${repo}`}`
}
