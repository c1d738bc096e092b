// Which events a webhook or chat gets, and how much of them. All requests, answers and `floe.yaml` take their members
// from here; their defaults are those of `defaultFilter`.
import { z } from 'zod'
import { changeVerdicts, defaultFilter, type EventFilter, expectationKindNames, noticeNames } from '../../../lists.ts'
import { ChangeVerdict } from '../../metadata/compatibility.ts'
import { Glob, globRule } from '../../names.ts'
import { AnsweredEventName, EventName } from '../../notifications/notification.ts'
import { StoredSearch, StoredSearchCreation } from './stored-search.ts'

const Globs = z.array(Glob).min(1, 'must not be empty').max(20, 'must have at most 20 patterns')

const notices = noticeNames.map((name) => `\`${name}\``).join(', ')

const isListedOnce = (values: readonly unknown[]) => new Set(values).size === values.length

/** The events that a receiver can select. */
export const EventNames = z
  .array(EventName)
  .min(1)
  .max(EventName.options.length)
  .refine(isListedOnce, 'must not name an event twice')
  .describe(`Events that are sent. Only webhooks and chats of an organisation get ${notices}`)

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
      'Default for a new webhook or chat: `["**"]`, all. Only for a webhook or chat of an organisation',
  ).meta({ examples: [['**']] }),
  branches: Globs.describe(
    `Patterns of branches whose events are sent: ${globRule}. Events of tags are sent whatever the branch. ` +
      'Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent',
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
  ).meta({ examples: [['forecast/**']] }),
  search: StoredSearchCreation.nullable().describe(`${searchMeaning}. Only for a webhook or chat of an organisation`),
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

const { events: _, include_changes, ...others } = z.object(members).partial().shape

/** What a request can say of the filter of a webhook or chat besides its events. */
export const filterInput = others

/** What a request can say of the filter of a webhook only. */
export const webhookFilterInput = { include_changes }

/** The members in answers. */
export const filterAnswer = {
  events: z.array(AnsweredEventName).min(1).describe('Events that are sent'),
  repos: members.repos
    .nullable()
    .describe('Patterns of repositories whose events are sent; null for a webhook or chat of a repository'),
  branches: members.branches,
  kinds: z.array(z.enum(expectationKindNames)).min(1).nullable().describe(kindsMeaning),
  paths: members.paths,
  search: StoredSearch.nullable().describe(`${searchMeaning}, and for a webhook or chat of a repository`),
  compatibility: z.array(ChangeVerdict).min(1).describe(verdictsMeaning),
} as const

/** The members in answers about webhooks only. */
export const webhookFilterAnswer = { include_changes: members.include_changes }

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
