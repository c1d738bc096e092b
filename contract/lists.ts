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
export type StreamedEventName = EventNameAbout<'head' | 'branch' | 'tag' | 'expectation' | 'check'>

// The keys of a constant object are its type's; Object.keys only promises strings.
export const eventNames = Object.keys(eventDefinitions) as readonly EventName[]

export const streamedEventNames = listEventsAbout('head', 'branch', 'tag', 'expectation', 'check')
export const headEventNames = listEventsAbout('head')
export const tagEventNames = listEventsAbout('tag')
export const expectationEventNames = listEventsAbout('expectation')
export const noticeNames = listEventsAbout('service')

/** The events to which the patterns of branches in a filter apply. */
export const branchEventNames = listEventsAbout('head', 'branch', 'expectation', 'check')

function listEventsAbout<Subject extends EventSubject>(...subjects: Subject[]): readonly EventNameAbout<Subject>[] {
  const isSelected = (name: EventName): name is EventNameAbout<Subject> =>
    subjects.some((subject) => subject === eventDefinitions[name].subject)
  return eventNames.filter(isSelected)
}

/** The kinds of expectations, in the order in which they are offered. */
export const expectationKindNames = ['freshness', 'written', 'contract', 'protected'] as const
export type ExpectationKindName = (typeof expectationKindNames)[number]

/** Whether a branch meets an expectation. */
export const expectationStates = ['met', 'unmet', 'unknown'] as const
export type ExpectationStateName = (typeof expectationStates)[number]

/** What a check says of a snapshot. `error`: the check itself failed, so nothing is known of the snapshot. */
export const checkStates = ['pending', 'passed', 'failed', 'error'] as const
export type CheckState = (typeof checkStates)[number]

/** The verdicts about a change of a dataset, worst first. */
export const changeVerdicts = ['breaking', 'unknown', 'compatible'] as const
export type ChangeVerdict = (typeof changeVerdicts)[number]

/** Whom events are sent to. A webhook gets JSON, a chat one line of text. */
export const receiverKinds = ['webhook', 'chat'] as const
export type ReceiverKind = (typeof receiverKinds)[number]

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
 * each branch, tag, expectation and check, the last `SchemaChanged` of each branch, and the last notice of each
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
] as const
export type SearchFacet = (typeof searchFacets)[number]

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

/** Which events a webhook, a chat or a stream gets, and how much of them. Patterns are those of `storage/globs`. */
export type EventFilter = {
  readonly events: readonly EventName[]
  /** Patterns of the repositories of an organisation's receiver; null for a receiver of one repository. */
  readonly repos: readonly string[] | null
  readonly branches: readonly string[]
  /** The kinds of expectations whose events are sent. Null for all, also for those that come later. */
  readonly kinds: readonly ExpectationKindName[] | null
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
}

/** The filter of a receiver that asks for nothing else. */
export const defaultFilter: EventFilter = {
  events: ['NewCommit'],
  repos: null,
  branches: ['main'],
  kinds: null,
  paths: ['**'],
  search: null,
  compatibility: ['breaking', 'unknown'],
  include_changes: false,
}

/** The JSON views of a dataset. Each is the last segment of a path, after the group; a group can have the same name. */
export const viewNames = ['info', 'keys', 'dict'] as const
export type ViewName = (typeof viewNames)[number]
