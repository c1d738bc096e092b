// The forms of receivers of each kind in requests and answers. They follow from what is special about the kind.
import { z } from 'zod'
import type { ReceiverKind } from '../../../lists.ts'
import { answeredMembers, ReceiverId, Resume, sentMembers, Warning } from './receiver-members.ts'

/** What is special about webhooks, or about chats. */
type KindOfReceiver = {
  readonly kind: ReceiverKind
  /** Part of the names of its schemas. */
  readonly title: string
  /** What such a receiver gets. */
  readonly receives: string
  /** Members of answers that only this kind has. */
  readonly answered: z.ZodRawShape
  /** Its settings in requests and in answers. */
  readonly settings: { readonly sent: z.ZodRawShape; readonly answered: z.ZodRawShape }
  /** Members of requests that matter to a test, besides its URL: how to reach it, and how requests are written. */
  readonly target: z.ZodRawShape
  /** The same that only a new one can have. */
  readonly targetOfNew: z.ZodRawShape
  readonly examples: { readonly saved: object; readonly creation: object; readonly change: object }
}

const enabled = z.boolean().optional()

/** Makes the schemas of webhooks or of chats. */
export function receiverForms<Kind extends KindOfReceiver>(kind: Kind) {
  return { ...makeAnswerForms(kind), ...makeRequestForms(kind) }
}

function tagOf<Kind extends KindOfReceiver>({ kind }: Kind) {
  // A property of a type parameter gets its type explicitly. Otherwise, its type would be that of the constraint.
  const name: Kind['kind'] = kind
  return { kind: z.literal(name).describe('Whether it is a webhook or a chat') }
}

function makeAnswerForms<Kind extends KindOfReceiver>(kind: Kind) {
  const { title, receives, examples } = kind
  const answered: Kind['answered'] = kind.answered
  const settings: Kind['settings']['answered'] = kind.settings.answered
  const { id, alias, ...others } = answeredMembers
  const saved = z
    .object({ id, ...tagOf(kind), alias, ...settings, ...others, ...answered })
    .meta({ id: title, description: `A ${kind.kind}, which receives ${receives}`, examples: [examples.saved] })
  const changed = saved
    .extend({ warnings: z.array(Warning).describe('Reasons to check what was saved; empty when there are none') })
    .meta({
      id: `Changed${title}`,
      description: `A ${kind.kind} as it was saved, with warnings`,
      examples: [{ ...examples.saved, warnings: [] }],
    })
  return { saved, changed }
}

function makeRequestForms<Kind extends KindOfReceiver>(kind: Kind) {
  const { title, receives, examples } = kind
  const target: Kind['target'] = kind.target
  const targetOfNew: Kind['targetOfNew'] = kind.targetOfNew
  const settings: Kind['settings']['sent'] = kind.settings.sent
  const tag = tagOf(kind)
  const { url, ...others } = sentMembers
  const optional = { ...z.object(others).partial().shape, ...settings, ...target }
  return {
    creation: z
      .strictObject({
        ...tag,
        ...sentMembers,
        ...settings,
        ...target,
        ...targetOfNew,
        enabled: enabled.describe('Default true'),
      })
      .meta({
        id: `${title}Creation`,
        description: `A ${kind.kind} to add, which receives ${receives}`,
        examples: [examples.creation],
      }),
    change: z
      .strictObject({
        ...tag,
        url: url.optional(),
        ...optional,
        enabled: enabled.describe('false: hold deliveries; true: send the held ones as `resume` says'),
        resume: Resume.optional(),
      })
      .refine(isResumeAllowed, { path: ['resume'], message: 'is only allowed together with enabled: true' })
      .meta({
        id: `${title}Change`,
        description: `The members of a ${kind.kind} to change; those that are left out stay as they are`,
        examples: [examples.change],
      }),
    savedToTest: z
      .strictObject({ ...tag, id: ReceiverId, url: url.optional(), ...target })
      .meta({
        id: `Saved${title}ToTest`,
        description: `A saved ${kind.kind} to test, perhaps with changes that are not saved`,
      }),
    unsavedToTest: z
      .strictObject({ ...tag, url, ...optional, ...targetOfNew, enabled: enabled.describe('Ignored') })
      .meta({ id: `Unsaved${title}ToTest`, description: `A ${kind.kind} to test that is not saved yet` }),
  }
}

function isResumeAllowed({ enabled, resume }: { readonly enabled?: unknown; readonly resume?: unknown }): boolean {
  return resume === undefined || enabled === true
}
