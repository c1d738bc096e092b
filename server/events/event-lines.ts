// The table of events: the line of text that tells each event to chats, and the page to which its link leads. Lines
// have no URL, and no text of another service.
import type { Notification } from '@floe/contract'
import type { ChangeVerdict, CheckState, EventName } from '@floe/contract/lists'
import type { PageLinks } from '../pages/page-links.ts'

type Details<Name extends EventName> = Extract<Notification, { readonly event: Name }>['details']

type NamedRepository = { readonly org_name: string; readonly repo_name: string }

/** What a line says of a head move whose changes were compared. */
type Compared = NamedRepository & Pick<Details<'SchemaChanged'>, 'branch' | 'verdict'>

/** What the details do not say for people. */
export type LineWords = {
  /** What an expectation finds, such as `LATE`. */
  readonly headline?: string
  /** What changed, how a branch meets its expectation, or who made a commit, and when. */
  readonly words?: string
}

type Texts<Name extends EventName> = {
  readonly line: (details: Name extends 'SchemaChanged' ? Compared : Details<Name>, words: LineWords) => string
  /** The address of the page that shows it. */
  readonly page: (details: Details<Name>, links: PageLinks) => string
}

const verdictHeadlines: { readonly [Verdict in ChangeVerdict]: string } = {
  breaking: 'BREAKING CHANGE',
  unknown: 'UNKNOWN CHANGE',
  compatible: 'COMPATIBLE CHANGE',
}

const checkHeadlines: { readonly [State in CheckState]: string } = {
  pending: 'CHECK PENDING',
  passed: 'CHECK PASSED',
  failed: 'CHECK FAILED',
  error: 'CHECK NOT MADE',
}

/** The line and the page of each event. */
export const eventTexts: { readonly [Name in EventName]: Texts<Name> } = {
  NewCommit: {
    // The specification of the service fixes this line.
    line: (move) => `${nameRef(move)} is now at ${move.snapshot_id}: ${move.commit_message}`,
    page: (move, links) => linkMove(move, move.previous_snapshot_id ?? move.parent_snapshot_id, links),
  },
  SchemaChanged: {
    line: (move, { words = '' }) => `${verdictHeadlines[move.verdict]}: ${nameBranch(move)}: ${words}`,
    page: (move, links) => linkMove(move, move.previous_snapshot_id, links),
  },
  BranchCreated: { line: writeCreated, page: ({ repo_name, branch }, links) => links.ref(repo_name, branch) },
  BranchDeleted: { line: writeDeleted, page: linkRepository },
  TagCreated: { line: writeCreated, page: ({ repo_name, tag }, links) => links.ref(repo_name, tag) },
  TagDeleted: { line: writeDeleted, page: linkRepository },
  ExpectationUnmet: {
    line: (found, words) => `${found.severity === 'critical' ? 'CRITICAL, ' : ''}${writeExpected(found, words)}`,
    page: linkExpected,
  },
  ExpectationMet: { line: writeExpected, page: linkExpected },
  CheckPosted: {
    line: (posted) => {
      const { branch, snapshot_id: snapshotId, check, state, text } = posted
      const said = text === null ? check : `${check}: ${text}`
      return `${checkHeadlines[state]}: ${nameRepository(posted)} ${branch ?? snapshotId}: ${said}`
    },
    page: ({ repo_name, branch, snapshot_id }, links) => links.ref(repo_name, branch ?? snapshot_id),
  },
  GoodMoved: {
    line: (moved) => `GOOD MOVED: ${nameBranch(moved)}: ${describeGood(moved)}`,
    page: (moved, links) =>
      moved.snapshot_id === null
        ? links.repository(moved.repo_name)
        : linkMove(moved, moved.previous_snapshot_id, links),
  },
  NotePosted: { line: (note) => writeRemark('NOTE', note), page: linkRemark },
  SnapshotRetracted: { line: (retraction) => writeRemark('RETRACTED', retraction), page: linkRemark },
  ReceiverDisabled: {
    line: (notice) => {
      const why = notice.reason === 'gone' ? 'it answered 410' : 'a delivery failed too often'
      return `DISABLED: ${nameReceiver(notice)}: ${why}, failing since ${writeTime(notice.failing_since)}`
    },
    page: linkReceiver,
  },
  ReceiverFailing: {
    line: (notice) => `FAILING: ${nameReceiver(notice)}: since ${writeTime(notice.failing_since)}`,
    page: linkReceiver,
  },
  RepositoryUnreadable: {
    line: (notice) =>
      `UNREADABLE: ${nameRepository(notice)}: ${notice.reason}, since ${writeTime(notice.unreadable_since)}`,
    page: linkRepository,
  },
  RepositoryBack: {
    line: (notice) =>
      `READABLE AGAIN: ${nameRepository(notice)}: it was unreadable since ${writeTime(notice.unreadable_since)}`,
    page: linkRepository,
  },
}

function nameRepository({ org_name, repo_name }: NamedRepository): string {
  return `${org_name}/${repo_name}`
}

function nameBranch(details: NamedRepository & { readonly branch: string }): string {
  return `${nameRepository(details)} ${details.branch}`
}

function nameRef(details: NamedRepository & ({ readonly branch: string } | { readonly tag: string })): string {
  const ref = 'tag' in details ? `tag ${details.tag}` : `branch ${details.branch}`
  return `${nameRepository(details)} ${ref}`
}

function writeCreated(ref: Details<'BranchCreated' | 'TagCreated'>, { words = '' }: LineWords): string {
  return `${nameRef(ref)} was created at ${ref.snapshot_id}${words}`
}

function writeDeleted(ref: Details<'BranchDeleted' | 'TagDeleted'>, { words = '' }: LineWords): string {
  return `${nameRef(ref)} was deleted at ${ref.previous_snapshot_id}${words}`
}

function linkRepository({ repo_name }: NamedRepository, links: PageLinks): string {
  return links.repository(repo_name)
}

function describeGood({ branch, snapshot_id: snapshotId, behind, reason }: Details<'GoodMoved'>): string {
  if (snapshotId === null) return `no head is good any more${reason === null ? '' : `: ${reason}`}`
  const from = behind === 0 ? 'its head' : `${behind} ${behind === 1 ? 'head' : 'heads'} behind`
  return `${branch}@good is now ${snapshotId}, ${from}`
}

type Expected = Details<'ExpectationUnmet' | 'ExpectationMet'>

function writeExpected(found: Expected, { headline = '', words = '' }: LineWords): string {
  const path = 'path' in found && found.path !== null ? ` (${found.path})` : ''
  return `${headline}: ${nameBranch(found)}${path}: ${words}`
}

function nameReceiver(notice: Details<'ReceiverDisabled' | 'ReceiverFailing'>): string {
  const owner = notice.receiver_scope === 'organisation' ? notice.org_name : nameRepository(notice)
  return `${notice.receiver_kind} "${notice.receiver_alias}" of ${owner}`
}

function linkReceiver(notice: Details<'ReceiverDisabled' | 'ReceiverFailing'>, links: PageLinks): string {
  return links.settings(notice.receiver_scope === 'organisation' ? undefined : notice.repo_name)
}

type Remarked = Details<'NotePosted' | 'SnapshotRetracted'>

function writeRemark(headline: string, remark: Remarked): string {
  const { snapshot, from, to, ref, path, text, superseded_by: instead } = remark
  const range = from === null ? [] : `${from} to ${to}`
  const about = [nameRepository(remark), snapshot ?? [], range, ref ?? [], path === null ? [] : `(${path})`].flat()
  const use = instead === null ? '' : `. Use ${instead.link ?? [instead.repo, instead.ref ?? []].flat().join(' ')}`
  return `${headline}: ${about.join(' ')}: ${text}${use}`
}

function linkRemark({ repo_name, snapshot, to, ref }: Remarked, links: PageLinks): string {
  const at = snapshot ?? to ?? ref
  return at === null ? links.repository(repo_name) : links.ref(repo_name, at)
}

type Move = { readonly repo_name: string; readonly branch: string; readonly snapshot_id: string | null }

/** The difference that a move made; the branch if there is nothing to compare its head with. */
function linkMove({ repo_name, branch, snapshot_id }: Move, from: string | null, links: PageLinks): string {
  // Events that an earlier version recorded may lack the snapshot before.
  if (!from || snapshot_id === null || from === snapshot_id) return links.ref(repo_name, branch)
  return links.diff(repo_name, from, snapshot_id)
}

/** The page that shows best what to do about a branch. */
function linkExpected(found: Expected, links: PageLinks): string {
  const { repo_name, branch, snapshot_id } = found
  // A branch that is gone, or that had no head yet.
  if (snapshot_id === null) return links.repository(repo_name)
  switch (found.kind) {
    case 'freshness':
      return links.history(repo_name, branch, { path: found.path ?? undefined })
    case 'written':
      return links.gaps(repo_name, branch, { path: found.path ?? undefined, along: found.along ?? undefined })
    case 'contract':
    case 'good':
      return linkMove(found, found.facts.last_good_snapshot_id, links)
    case 'protected':
      // A tag was lost although the branch is as it should be.
      if (found.facts.last_good_snapshot_id === snapshot_id) return links.repository(repo_name)
      return linkMove(found, found.facts.last_good_snapshot_id, links)
  }
}

/** `2026-11-21 12:00 UTC`. */
export function writeTime(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`
}
