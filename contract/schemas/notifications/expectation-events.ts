// The notifications of branches that no longer meet an expectation, and of those that meet it again. Like the others,
// they have a form for receivers and one for the service; see notification-forms.ts.
import { z } from 'zod'
import {
  eventDefinitions,
  type ExpectationEventName,
  type ExpectationKindName,
  expectationKindNames,
} from '../../lists.ts'
import { exampleRepository, repositoryFields } from './new-commit.ts'
import type { NotificationForms } from './notification-forms.ts'
import { SnapshotId } from '../names.ts'
import { Instant } from '../values.ts'
import { ExpectationAlias, expectationForms, ExpectationId } from '../metadata/expectations/expectation-forms.ts'
import { expectationKinds } from '../metadata/expectations/kinds.ts'

const fields = {
  ...repositoryFields,
  expectation_id: ExpectationId,
  expectation_alias: ExpectationAlias.nullable().describe('Name of the expectation for people; null if it has none'),
  branch: z.string().describe('The branch'),
  since: Instant.describe('Since when the branch has not met it'),
  reminder: z.boolean().describe('Whether this is a reminder of an event that was sent before'),
  snapshot_id: SnapshotId.nullable().describe('The head of the branch that was judged; null if there is none'),
  reason: z
    .string()
    .nullable()
    .describe('What the facts do not say, such as that the expectation was deleted or starts over; null otherwise'),
}

const example = {
  ...exampleRepository,
  expectation_id: '3f0c1c52-7a0e-4d5b-8d21-6e0b6a4d2f17',
  expectation_alias: 'tile server',
  branch: 'main',
  since: '2026-11-21T18:00:00.000Z',
  reminder: false,
  snapshot_id: 'VHQMPVTZR0SCMXSGH9SG',
  reason: null,
}

/** What an event says of an expectation of one kind, in both forms. */
function makeDetails<Name extends ExpectationKindName>(name: Name) {
  const { expected, facts } = expectationForms[name]
  const { alias: _, branch: __, ...settings } = expected
  const members = { ...fields, ...settings, facts }
  const title = `${name[0]?.toUpperCase()}${name.slice(1)}`
  return {
    open: z
      .looseObject(members)
      .meta({ id: `${title}EventDetails`, description: 'The expectation, and what was found about the branch' }),
    sent: z.strictObject(members),
  }
}

type Details = { [Name in ExpectationKindName]: ReturnType<typeof makeDetails<Name>> }

// An array cannot express that each place has the details of its kind, and that there is one.
const details = expectationKindNames.map(makeDetails) as unknown as [Details[ExpectationKindName]]
const openDetails = z.discriminatedUnion(
  'kind',
  details.map(({ open }) => open) as [Details[ExpectationKindName]['open']],
)
const sentDetails = z.discriminatedUnion(
  'kind',
  details.map(({ sent }) => sent) as [Details[ExpectationKindName]['sent']],
)

function expectationEvent<Name extends ExpectationEventName>(name: Name, found: 'met' | 'unmet') {
  const event = z.literal(name).describe(eventDefinitions[name].meaning)
  const examples = expectationKindNames.map((kind) => {
    const { settings, [found]: facts } = expectationKinds[kind].example
    return {
      event: name,
      details: { ...example, kind, severity: 'warning', within: null, remind: null, ...settings, facts },
    }
  })
  return {
    open: z
      .looseObject({ event, details: openDetails.describe('The expectation, and what was found about the branch') })
      .meta({ id: name, description: eventDefinitions[name].meaning, examples }),
    sent: z.strictObject({ event, details: sentDetails }),
  }
}

/** The notifications of expectations, by event. */
export const expectationEventForms = {
  ExpectationUnmet: expectationEvent('ExpectationUnmet', 'unmet'),
  ExpectationMet: expectationEvent('ExpectationMet', 'met'),
} satisfies Record<ExpectationEventName, NotificationForms>
