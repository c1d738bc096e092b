// What a webhook or chat gets, when and how. All requests, answers and `floe.yaml` take their members from here; their
// defaults are those of `defaultFilter`.
import { z } from 'zod'
import {
  changeVerdicts,
  checkStates,
  type EventFilter,
  expectationKindNames,
  noticeNames,
  pickSettings,
  type ReceiverKind,
  severities,
  webhookFormats,
} from '../../../lists.ts'
import { ChangeVerdict } from '../../metadata/compatibility.ts'
import { CheckName } from '../../metadata/checks.ts'
import { Glob, globRule } from '../../names.ts'
import { AnsweredEventName, EventName } from '../../notifications/notification.ts'
import { DigestSchedule, QuietHours } from './digest.ts'
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

const checksMeaning = 'Names of checks whose `CheckPosted` is sent. null, the default, stands for all'

const checkStatesMeaning = 'States with which `CheckPosted` is sent. null, the default, stands for all'

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
  severity: z
    .enum(severities)
    .nullable()
    .describe(
      'Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, ' +
        'stands for all',
    ),
  checks: z
    .array(CheckName)
    .min(1, 'must not be empty')
    .max(20, 'must have at most 20 names')
    .refine(isListedOnce, 'must not name a check twice')
    .nullable()
    .describe(checksMeaning)
    .meta({ examples: [['quality']] }),
  states: z
    .array(z.enum(checkStates))
    .min(1, 'must not be empty')
    .max(checkStates.length)
    .refine(isListedOnce, 'must not name a state twice')
    .nullable()
    .describe(checkStatesMeaning),
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
  format: z
    .enum(webhookFormats)
    .describe(
      'How requests are written, always signed. `standard`: the notification alone. `cloudevents-binary`: with the ' +
        'attributes of CloudEvents 1.0 in `ce-*` headers. `cloudevents-structured`: as the `data` of a CloudEvent, ' +
        '`application/cloudevents+json`. Default `standard`',
    ),
  quiet: QuietHours.nullable(),
  digest: DigestSchedule.nullable(),
} satisfies Record<keyof EventFilter, z.ZodType>

/** The members in answers. */
const answered = {
  ...members,
  events: z.array(AnsweredEventName).min(1).describe('Events that are sent'),
  repos: members.repos
    .nullable()
    .describe('Patterns of repositories whose events are sent; null for a webhook or chat of a repository'),
  kinds: z.array(z.enum(expectationKindNames)).min(1).nullable().describe(kindsMeaning),
  checks: z.array(CheckName).min(1).nullable().describe(checksMeaning),
  states: z.array(z.enum(checkStates)).min(1).nullable().describe(checkStatesMeaning),
  search: StoredSearch.nullable().describe(`${searchMeaning}, and for a webhook or chat of a repository`),
  compatibility: z.array(ChangeVerdict).min(1).describe(verdictsMeaning),
}

const { events: _, ...sent } = z.object(members).partial().shape

/** The members in the configuration file, where a receiver of a repository may say `repos: null`. */
const declared = z.object({ ...members, repos: members.repos.nullable() }).partial().shape

/**
 * The settings that receivers of a kind have: in the configuration file; in requests, besides the events, which a new
 * receiver must name; and in answers.
 */
export function settingsOf<Kind extends ReceiverKind>(kind: Kind) {
  return {
    declared: pickSettings(kind, declared),
    sent: pickSettings(kind, sent),
    answered: pickSettings(kind, answered),
  }
}
