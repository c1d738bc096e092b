// The line of text that tells each event to chats. Lines of notices have no URL, and no text of another service.
import type { Notification } from '@floe/contract'
import type { CheckState, EventName } from '@floe/contract/lists'

type Details<Name extends EventName> = Extract<Notification, { readonly event: Name }>['details']

type NamedRepository = { readonly org_name: string; readonly repo_name: string }

/** What a line says of a head move whose changes were compared. */
type Compared = NamedRepository & Pick<Details<'SchemaChanged'>, 'branch' | 'verdict'>

/**
 * Writes the line of an event from its details. `words` say what the details do not say for people: what changed, or
 * how a branch meets its expectation.
 */
export const eventLines = {
  NewCommit: (move: Details<'NewCommit'>) =>
    `${nameBranch(move)} is now at ${move.snapshot_id}: ${move.commit_message}`,
  SchemaChanged: (move: Compared, words: string) =>
    `${nameRepository(move)} ${move.branch}: ${words} (${move.verdict})`,
  BranchCreated: (ref: Details<'BranchCreated'>) => `${nameBranch(ref)} was created at ${ref.snapshot_id}`,
  BranchDeleted: (ref: Details<'BranchDeleted'>) => `${nameBranch(ref)} was deleted at ${ref.previous_snapshot_id}`,
  TagCreated: (ref: Details<'TagCreated'>) => `${nameTag(ref)} was created at ${ref.snapshot_id}`,
  TagDeleted: (ref: Details<'TagDeleted'>) => `${nameTag(ref)} was deleted at ${ref.previous_snapshot_id}`,
  ExpectationUnmet: (found: Details<'ExpectationUnmet'>, words: string) => `${nameExpected(found)} ${words}`,
  ExpectationMet: (found: Details<'ExpectationMet'>, words: string) => `${nameExpected(found)} ${words}`,
  CheckPosted: (posted: Details<'CheckPosted'>) => {
    const { branch, snapshot_id: snapshotId, check, state, text } = posted
    const said = `${nameRepository(posted)} ${branch ?? snapshotId}: check ${check} ${checkWords[state]}`
    return text === null ? said : `${said}: ${text}`
  },
  ReceiverDisabled: (notice: Details<'ReceiverDisabled'>) => {
    const why = notice.reason === 'gone' ? 'it answered 410' : 'a delivery failed too often'
    return `${nameReceiver(notice)} was disabled: ${why}`
  },
  ReceiverFailing: (notice: Details<'ReceiverFailing'>) =>
    `${nameReceiver(notice)} has been failing since ${notice.failing_since}`,
  RepositoryUnreadable: (notice: Details<'RepositoryUnreadable'>) =>
    `${nameRepository(notice)} has been unreadable since ${notice.unreadable_since}: ${notice.reason}`,
  RepositoryBack: (notice: Details<'RepositoryBack'>) =>
    `${nameRepository(notice)} can be read again; it was unreadable since ${notice.unreadable_since}`,
} satisfies { readonly [Name in EventName]: (details: Details<Name>, words: string) => string }

/** What a line says of a check in each state. */
const checkWords: Readonly<Record<CheckState, string>> = {
  pending: 'is pending',
  passed: 'passed',
  failed: 'failed',
  error: 'could not be made',
}

function nameRepository({ org_name, repo_name }: NamedRepository): string {
  return `${org_name}/${repo_name}`
}

function nameBranch(details: NamedRepository & { readonly branch: string }): string {
  return `${nameRepository(details)} branch ${details.branch}`
}

function nameTag(details: NamedRepository & { readonly tag: string }): string {
  return `${nameRepository(details)} tag ${details.tag}`
}

function nameExpected(found: Details<'ExpectationUnmet' | 'ExpectationMet'>): string {
  const path = 'path' in found && found.path !== null ? ` (${found.path})` : ''
  return `${nameBranch(found)}${path}`
}

function nameReceiver(notice: Details<'ReceiverDisabled' | 'ReceiverFailing'>): string {
  const owner = notice.receiver_scope === 'organisation' ? notice.org_name : nameRepository(notice)
  return `${notice.receiver_kind} "${notice.receiver_alias}" of ${owner}`
}
