// The schemas of webhooks and chats, of repositories and of organisations: how one is shown, listed, created and
// changed.
import { z } from 'zod'
import type { ReceiverKind } from '../../../lists.ts'
import { listOf } from '../../values.ts'
import { EventNames, filterAnswer, filterInput, RepositoryEventNames } from './filter.ts'
import { receiverFields, receiverInput, Resume, Warning } from './receiver.ts'

/** What is special about webhooks, or about chats. */
type KindOfReceiver = {
  /** Part of the names of its schemas. */
  readonly name: string
  readonly noun: ReceiverKind
  /** What such a receiver gets. */
  readonly receives: string
  /** Fields of answers that only this kind has. */
  readonly fields: z.ZodRawShape
  /** Fields of a request that creates one. */
  readonly input: z.ZodRawShape
  /** Fields of a request that changes one. */
  readonly change: z.ZodRawShape
}

/** What is special about receivers of repositories, or of organisations. */
type OwnerOfReceivers = {
  /** Begins the names of the schemas. */
  readonly prefix: string
  /** The owner in the description of a list. */
  readonly owner: string
  /** Follows "webhook" or "chat" in descriptions. */
  readonly ofOwner: string
  /** The events that such a receiver can select. */
  readonly events: typeof RepositoryEventNames
  /** What answers and requests say of its filter besides. */
  readonly fields: z.ZodRawShape
  readonly input: z.ZodRawShape
}

export const repositories = {
  prefix: '',
  owner: 'a repository',
  ofOwner: '',
  events: RepositoryEventNames,
  fields: {},
  input: filterInput.repository,
} as const satisfies OwnerOfReceivers

export const organisations = {
  prefix: 'Org',
  owner: 'an organisation',
  ofOwner: ' of an organisation',
  events: EventNames,
  fields: filterAnswer.organisation,
  input: filterInput.organisation,
} as const satisfies OwnerOfReceivers

type Examples = { readonly saved: object; readonly creation: object; readonly change: object }

/** Makes the schemas of webhooks or chats, of repositories or organisations. */
export function receiverForms<Kind extends KindOfReceiver, Owner extends OwnerOfReceivers>(
  kind: Kind,
  owner: Owner,
  examples: Examples,
) {
  const name = `${owner.prefix}${kind.name}`
  const noun = `${kind.noun}${owner.ofOwner}`
  // Otherwise, the type of these properties would be ZodRawShape.
  const ofKind: Pick<Kind, 'fields' | 'input' | 'change'> = kind
  const ofOwner: Pick<Owner, 'fields' | 'input'> = owner
  const saved = z
    .object({ ...receiverFields, ...ofKind.fields, ...ofOwner.fields })
    .meta({ id: name, description: `A ${noun}, which receives ${kind.receives}`, examples: [examples.saved] })
  const changed = saved
    .extend({ warnings: z.array(Warning).describe('Reasons to check what was saved; empty when there are none') })
    .meta({
      id: `Changed${name}`,
      description: `A ${noun} as it was saved, with warnings`,
      examples: [{ ...examples.saved, warnings: [] }],
    })
  const list = listOf(saved, { id: `${name}List`, description: `All ${kind.noun}s of ${owner.owner}` })
  const input = { ...receiverInput, events: owner.events }
  const creation = z
    .strictObject({
      ...input,
      ...ofKind.input,
      ...ofOwner.input,
      enabled: z.boolean().optional().describe('Default true'),
    })
    .meta({ id: `${name}Creation`, description: `What a new ${noun} needs`, examples: [examples.creation] })
  const change = z
    .strictObject({
      ...z.object(input).partial().shape,
      ...ofKind.change,
      ...ofOwner.input,
      enabled: z.boolean().optional().describe('false: hold deliveries; true: send the held ones as `resume` says'),
      resume: Resume.optional(),
    })
    .refine(isResumeAllowed, { path: ['resume'], message: 'is only allowed together with enabled: true' })
    .meta({
      id: `${name}Change`,
      description: `The fields of a ${noun} to change; those that are left out stay as they are`,
      examples: [examples.change],
    })
  return { saved, changed, list, creation, change }
}

function isResumeAllowed({ enabled, resume }: { readonly enabled?: unknown; readonly resume?: unknown }): boolean {
  return resume === undefined || enabled === true
}
