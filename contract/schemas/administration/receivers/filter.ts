// Which events a webhook or chat gets, and how much of them. All requests, answers and `floe.yaml` take their members
// from here; their defaults are those of `defaultFilter`.
import { z } from 'zod'
import { changeVerdicts, defaultFilter, type EventFilter, expectationKindNames, noticeNames } from '../../../lists.ts'
import { ChangeVerdict } from '../../metadata/compatibility.ts'
import { Glob, globRule } from '../../names.ts'
import { AnsweredEventName, EventName } from '../../notifications/notification.ts'
import { StoredSearch, StoredSearchCreation } from './stored-search.ts'

const Globs = z.array(Glob).min(1, 'must not be empty').max(20, 'must have at most 20 patterns')

const isListedOnce = (values: readonly unknown[]) => new Set(values).size === values.length

/** The events that a receiver of an organisation can select. */
export const EventNames = z
  .array(EventName)
  .min(1)
  .max(EventName.options.length)
  .refine(isListedOnce, 'must not name an event twice')
  .describe('Events that are sent')

/** The events that a receiver of a repository can select. */
export const RepositoryEventNames = EventNames.refine(
  (names) => !noticeNames.some((notice) => names.includes(notice)),
  `must not name ${noticeNames.join(', ')}: only webhooks and chats of an organisation get them`,
)

/** The verdicts with which a receiver or a stream can select `SchemaChanged`. */
export const SelectedVerdict = z.enum(changeVerdicts)

const kindsMeaning =
  'Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, ' +
  'also for those that come later'

const verdictsMeaning =
  'Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`'

const searchMeaning =
  'Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and ' +
  '`SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or ' +
  'updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits'

/** The members in requests. */
const members = {
  events: EventNames,
  repos: Globs.describe(
    `Patterns of repositories whose events are sent: ${globRule}. Repositories that are added later are included. ` +
      'Default for a new webhook or chat: `["**"]`, all',
  ).meta({ examples: [['**']] }),
  branches: Globs.describe(
    `Patterns of branches whose events are sent: ${globRule}. Floe starts watching a branch when a receiver or a ` +
      'stream selects it; earlier changes are not sent',
  ).meta({ examples: [['main']] }),
  kinds: z
    .array(z.enum(expectationKindNames))
    .min(1, 'must not be empty')
    .max(expectationKindNames.length)
    .refine(isListedOnce, 'must not name a kind twice')
    .nullable()
    .describe(kindsMeaning),
  paths: Globs.describe(
    'Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a ' +
      'commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the ' +
      'changes are unknown. `forecast/**` is the group `forecast` and everything below it',
  ).meta({ examples: [['**']] }),
  search: StoredSearchCreation.nullable().describe(searchMeaning),
  compatibility: z
    .array(SelectedVerdict)
    .min(1, 'must not be empty')
    .max(changeVerdicts.length)
    .refine(isListedOnce, 'must not name a verdict twice')
    .describe(verdictsMeaning),
  include_changes: z
    .boolean()
    .describe('Whether `details.changes` of `NewCommit` says what changed. Default for a new webhook: false'),
} satisfies Record<keyof EventFilter, z.ZodType>

const { events: _events, repos, search, include_changes, ...shared } = z.object(members).partial().shape

/** What a request can say of the filter of a receiver besides its events. */
export const filterInput = {
  repository: shared,
  organisation: { ...shared, repos, search },
  /** Only of webhooks. */
  webhook: { include_changes },
} as const

/** The members in answers. */
export const filterAnswer = {
  repository: {
    events: z.array(AnsweredEventName).min(1).describe('Events that are sent'),
    branches: members.branches,
    kinds: z.array(z.enum(expectationKindNames)).min(1).nullable().describe(kindsMeaning),
    paths: members.paths,
    compatibility: z.array(ChangeVerdict).min(1).describe(verdictsMeaning),
  },
  /** Only of an organisation. */
  organisation: { repos: members.repos, search: StoredSearch.nullable().describe(searchMeaning) },
  /** Only of webhooks. */
  webhook: { include_changes: members.include_changes },
} as const

/** The filter of a receiver that the configuration file declares. */
export const DeclaredFilter = z.object({
  events: members.events.default([...defaultFilter.events]),
  repos: members.repos.nullable().default(null),
  branches: members.branches.default([...defaultFilter.branches]),
  kinds: members.kinds.default(null),
  paths: members.paths.default([...defaultFilter.paths]),
  search: members.search.default(null),
  compatibility: members.compatibility.default([...defaultFilter.compatibility]),
  include_changes: members.include_changes.default(defaultFilter.include_changes),
})
