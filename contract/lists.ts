// Names that are sent over HTTP and that several parts of the project have to know. Each is listed here once, and the
// compiler reports what lacks a new name; CONTRIBUTING.md says what else it needs. This file imports nothing, so that
// storage, reader threads and pages can use the lists without loading zod.

/**
 * All events that receivers can select, in the order in which they are offered, with what each is about and what it
 * means. The subject decides whose filters are asked, who describes the event, and which callback of a receiver gets
 * it:
 *
 * - `head`: a head move of a branch
 * - `branch` and `tag`: that one was created or deleted
 * - `expectation`: whether a branch meets an expectation
 * - `check`: what a check said of a snapshot
 * - `good`: which head of a branch is the last good one
 * - `remark`: what an administrator said of snapshots
 * - `service`: Floe itself. These events are notices, which only receivers of an organisation can select.
 */
export const eventDefinitions = {
  NewCommit: { subject: 'head', meaning: 'The head of a branch moved' },
  SchemaChanged: { subject: 'head', meaning: 'A head move changed what readers of datasets see' },
  BranchCreated: { subject: 'branch', meaning: 'A branch was created' },
  BranchDeleted: { subject: 'branch', meaning: 'A branch was deleted' },
  TagCreated: { subject: 'tag', meaning: 'A tag was created' },
  TagDeleted: { subject: 'tag', meaning: 'A tag was deleted' },
  ExpectationUnmet: { subject: 'expectation', meaning: 'A branch no longer meets an expectation' },
  ExpectationMet: {
    subject: 'expectation',
    meaning: 'A branch meets an expectation again, or the expectation is gone or starts over',
  },
  CheckPosted: { subject: 'check', meaning: 'A check of a snapshot has another state, or is new' },
  GoodMoved: { subject: 'good', meaning: 'Another head of a branch is the last good one, or none is any more' },
  NotePosted: { subject: 'remark', meaning: 'An administrator posted a note' },
  SnapshotRetracted: { subject: 'remark', meaning: 'An administrator retracted snapshots or datasets' },
  ReceiverDisabled: { subject: 'service', meaning: 'Floe disabled another webhook or chat' },
  ReceiverFailing: {
    subject: 'service',
    meaning: 'Another webhook or chat failed the first three attempts of a delivery',
  },
  RepositoryUnreadable: {
    subject: 'service',
    meaning: 'The head of a repository could not be read for at least a minute',
  },
  RepositoryBack: { subject: 'service', meaning: 'A repository that could not be read can be read again' },
} as const satisfies Record<string, { readonly subject: string; readonly meaning: string }>

/** The name of an event that a receiver can select. */
export type EventName = keyof typeof eventDefinitions

/** What an event can be about. */
export type EventSubject = (typeof eventDefinitions)[EventName]['subject']

/** The name of an event about one of these subjects. */
export type EventNameAbout<Subject extends EventSubject> = {
  [Name in EventName]: (typeof eventDefinitions)[Name]['subject'] extends Subject ? Name : never
}[EventName]

/** The name of an event about an expectation. */
export type ExpectationEventName = EventNameAbout<'expectation'>

/** The name of an event about the service itself. */
export type NoticeName = EventNameAbout<'service'>

/** The name of an event that streams carry. */
export type StreamedEventName = EventNameAbout<'head' | 'branch' | 'tag' | 'expectation' | 'check' | 'good' | 'remark'>

// The keys of a constant object are its type's; Object.keys only promises strings.
export const eventNames = Object.keys(eventDefinitions) as readonly EventName[]

export const streamedEventNames = listEventsAbout('head', 'branch', 'tag', 'expectation', 'check', 'good', 'remark')
export const headEventNames = listEventsAbout('head')
export const tagEventNames = listEventsAbout('tag')
export const expectationEventNames = listEventsAbout('expectation')
export const noticeNames = listEventsAbout('service')

/** The events to which the patterns of branches in a filter apply. */
export const branchEventNames = listEventsAbout('head', 'branch', 'expectation', 'check', 'good')

function listEventsAbout<Subject extends EventSubject>(...subjects: Subject[]): readonly EventNameAbout<Subject>[] {
  const isSelected = (name: EventName): name is EventNameAbout<Subject> =>
    subjects.some((subject) => subject === eventDefinitions[name].subject)
  return eventNames.filter(isSelected)
}

/** The kinds of expectations, in the order in which they are offered. */
export const expectationKindNames = ['freshness', 'written', 'contract', 'protected', 'good'] as const
export type ExpectationKindName = (typeof expectationKindNames)[number]

/** What can be wrong with a repository, the worst first, in words for people. */
export const repositoryStateWords = {
  unreadable: 'Cannot be read',
  retracted: 'Retracted',
  breaking: 'Breaks a contract',
  rewritten: 'Rewritten',
  incomplete: 'Incomplete',
  late: 'Late',
  not_good: 'Not good',
} as const
export type RepositoryState = keyof typeof repositoryStateWords

// As above.
export const repositoryStates = Object.keys(repositoryStateWords) as readonly RepositoryState[]

/** What is wrong with a repository whose branch does not meet an expectation of a kind. */
export const statesOfKinds = {
  freshness: 'late',
  written: 'incomplete',
  contract: 'breaking',
  protected: 'rewritten',
  good: 'not_good',
} as const satisfies Record<ExpectationKindName, RepositoryState>

/** The days of the week. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** The kinds that judge each head once, and depend on nothing else. Their verdicts decide which heads are good. */
export const headKindNames = ['written', 'contract'] as const satisfies readonly ExpectationKindName[]
export type HeadKindName = (typeof headKindNames)[number]

/** Whether a branch meets an expectation. */
export const expectationStates = ['met', 'unmet', 'unknown'] as const
export type ExpectationStateName = (typeof expectationStates)[number]

/** How much it matters that a branch does not meet an expectation, in rising order. */
export const severities = ['info', 'warning', 'critical'] as const
export type Severity = (typeof severities)[number]

/** Whether a severity is at least another one; null asks for none. */
export function isAtLeast(severity: Severity, least: Severity | null): boolean {
  return least === null || severities.indexOf(severity) >= severities.indexOf(least)
}

/** That of an expectation that states none. */
export const defaultSeverity: Severity = 'warning'

/** What a check says of a snapshot. `error`: the check itself failed, so nothing is known of the snapshot. */
export const checkStates = ['pending', 'passed', 'failed', 'error'] as const
export type CheckState = (typeof checkStates)[number]

/** Whether a head of a branch is good. `pending`: something is missing, and there is still time. */
export const headStates = ['good', 'pending', 'failed'] as const

/** What a head can lack to be good. */
export const lackKinds = ['check', 'expectation', 'retraction'] as const
export const lackStates = ['missing', 'pending', 'failed', 'error', 'unmet', 'retracted'] as const
/** What administrators say of snapshots: a note, or that nobody should use them any more. */
export const remarkKinds = ['note', 'retraction'] as const
export type RemarkKind = (typeof remarkKinds)[number]

/** The verdicts about a change of a dataset, worst first. */
export const changeVerdicts = ['breaking', 'unknown', 'compatible'] as const
export type ChangeVerdict = (typeof changeVerdicts)[number]

/** Whom events are sent to. A webhook gets JSON, a chat one line of text. */
export const receiverKinds = ['webhook', 'chat'] as const
export type ReceiverKind = (typeof receiverKinds)[number]

/**
 * How the requests of a webhook are written: as Standard Webhooks has them, or also as CloudEvents 1.0, with the
 * attributes of the event in headers (binary mode) or beside it in the body (structured mode).
 */
export const webhookFormats = ['standard', 'cloudevents-binary', 'cloudevents-structured'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

/** The chat services that Floe can write to. */
export const chatServices = [
  'slack',
  'mattermost',
  'discord',
  'teams',
  'googlechat',
  'rocketchat',
  'dingtalk',
  'feishu',
  'wecom',
] as const
export type ChatService = (typeof chatServices)[number]

/** The states of a delivery. */
export const deliveryStates = ['pending', 'held', 'delivered', 'dead', 'discarded'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * Which held deliveries are sent when a receiver is enabled again; the others are discarded. `latest` sends the last of
 * each branch, tag, expectation, check and remark, the last `SchemaChanged` of each branch, and the last notice of each
 * repository.
 */
export const resumeChoices = ['latest', 'all', 'none'] as const
export type Resume = (typeof resumeChoices)[number]

/** Why Floe itself disables a receiver: it answered 410, or the last attempt of a delivery failed. */
export const disablingReasons = ['gone', 'too_many_failures'] as const
export type DisablingReason = (typeof disablingReasons)[number]

/** What an API key allows: `reader` reads metadata, `checker` also posts checks, `admin` also administers. */
export const roles = ['reader', 'checker', 'admin'] as const
export type Role = (typeof roles)[number]

/** What search can count over its results, and find by the exact value. */
export const searchFacets = [
  'variable',
  'standard_name',
  'units',
  'dimension',
  'dtype',
  'institution',
  'keyword',
  'licence',
  'kind',
] as const
export type SearchFacet = (typeof searchFacets)[number]

/**
 * The kinds of datasets that metadata can state:
 *
 * - `grid`: values on a grid of the Earth, also one of cells such as HEALPix
 * - `scene`: what a satellite or an aircraft saw
 * - `image`: a picture, usually of a microscope
 * - `radar`: sweeps of a radar
 * - `trajectory`, `station`, `profile`, `point`: where something was measured, as CF's `featureType` tells it apart
 * - `mesh`: values on the cells, edges or nodes of an unstructured mesh
 * - `table`: rows and columns, such as cells and genes
 * - `variants`: variants of genomes
 * - `training set`: samples in the form in which a model reads them
 */
export const datasetKinds = [
  'grid',
  'scene',
  'image',
  'radar',
  'trajectory',
  'station',
  'profile',
  'point',
  'mesh',
  'table',
  'variants',
  'training set',
] as const
export type DatasetKind = (typeof datasetKinds)[number]

/** What a commit can do to a group or an array, in the order in which answers list it. */
export const nodeChanges = [
  'created',
  'deleted',
  'moved',
  'replaced',
  'shape',
  'attributes',
  'updated',
  'chunks',
] as const
export type NodeChange = (typeof nodeChanges)[number]

/** The value of the facet `licence` of datasets that state none. */
export const noLicence = 'no licence stated'

/** What a search asks of a dataset itself, as texts. Where a condition has several values, one is enough. */
export type SearchConditions = {
  readonly [Name in SearchFacet | 'attribute']?: string | readonly string[] | undefined
} & { readonly [Name in 'q' | 'bbox' | 'time']?: string | undefined }

/** The hours of a day, in UTC, in which a chat gets nothing that can wait. `to` may be on the next day. */
export type QuietHours = { readonly from: string; readonly to: string }

/** How often a digest is sent; those of a week are sent on Mondays. */
export const digestPeriods = ['day', 'week'] as const

/** When a chat gets all that can wait, as one message. The time is UTC. */
export type DigestSchedule = { readonly at: string; readonly every: (typeof digestPeriods)[number] }

/**
 * What a webhook or a chat gets, when and how; and what a stream gets. These are all settings of a receiver besides its
 * alias, its address and its secrets. Patterns are those of `storage/globs`.
 */
export type EventFilter = {
  readonly events: readonly EventName[]
  /** Patterns of the repositories of an organisation's receiver; null for a receiver of one repository. */
  readonly repos: readonly string[] | null
  readonly branches: readonly string[]
  /** The kinds of expectations whose events are sent. Null for all, also for those that come later. */
  readonly kinds: readonly ExpectationKindName[] | null
  /** The least severity of the expectations whose events are sent. Null for all. */
  readonly severity: Severity | null
  /** The names of checks whose events are sent. Null for all. */
  readonly checks: readonly string[] | null
  /** The states with which `CheckPosted` is sent. Null for all. */
  readonly states: readonly CheckState[] | null
  /** Patterns of groups and arrays. A head move that changed none of them is not sent. */
  readonly paths: readonly string[]
  /**
   * A head move that touched no dataset that this search finds, before or after it, is not sent. Null for all. Only a
   * receiver of an organisation has one.
   */
  readonly search: SearchConditions | null
  /** The verdicts with which `SchemaChanged` is sent. */
  readonly compatibility: readonly ChangeVerdict[]
  /** Whether payloads say what changed. */
  readonly include_changes: boolean
  /** How requests are written. */
  readonly format: WebhookFormat
  /** Null for none. */
  readonly quiet: QuietHours | null
  /** Whatever the quiet hours. Null for none. */
  readonly digest: DigestSchedule | null
}

/** The filter of a receiver that asks for nothing else. */
export const defaultFilter: EventFilter = {
  events: ['NewCommit'],
  repos: null,
  branches: ['main'],
  kinds: null,
  severity: null,
  checks: null,
  states: null,
  paths: ['**'],
  search: null,
  compatibility: ['breaking', 'unknown'],
  include_changes: false,
  format: 'standard',
  quiet: null,
  digest: null,
}

/** The settings that only receivers of one kind have. For the others, they keep their defaults. */
const kindsOfSettings = {
  include_changes: 'webhook',
  format: 'webhook',
  quiet: 'chat',
  digest: 'chat',
} as const satisfies Partial<Record<keyof EventFilter, ReceiverKind>>

/** The name of a setting that receivers of this kind do not have. */
type MissingSetting<Kind extends ReceiverKind> = {
  [Name in keyof typeof kindsOfSettings]: (typeof kindsOfSettings)[Name] extends Kind ? never : Name
}[keyof typeof kindsOfSettings]

/** Picks the settings that receivers of a kind have. */
export function pickSettings<Kind extends ReceiverKind, Settings extends object>(
  kind: Kind,
  settings: Settings,
): Omit<Settings, MissingSetting<Kind>> {
  const kinds: Readonly<Record<string, ReceiverKind>> = kindsOfSettings
  const picked = Object.entries(settings).filter(([name]) => (kinds[name] ?? kind) === kind)
  return Object.fromEntries(picked) as Omit<Settings, MissingSetting<Kind>> // only these names are left out
}

/** Reads the settings that a request or an entry of the configuration file names, after its schema has parsed it. */
export function readSettings(parsed: object): Partial<EventFilter> {
  return Object.fromEntries(
    Object.entries(parsed).filter(([name, value]) => Object.hasOwn(defaultFilter, name) && value !== undefined),
  )
}

/** The JSON views of a dataset. Each is the last segment of a path, after the group; a group can have the same name. */
export const viewNames = ['info', 'keys', 'dict'] as const
export type ViewName = (typeof viewNames)[number]
