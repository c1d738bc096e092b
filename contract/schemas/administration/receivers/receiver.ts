// Webhooks and chats. `kind` says which of both a receiver is, and decides which other members it has.
import { z } from 'zod'
import { listOf } from '../../values.ts'
import { chatForms } from './chat.ts'
import { webhookForms } from './webhook.ts'

const forms = { webhook: webhookForms, chat: { ...chatForms, created: chatForms.changed } }

/** Makes the schema of one form of both kinds, with the examples of each. */
function unionOf<Form extends keyof typeof forms.webhook>(form: Form, id: string, description: string) {
  const [webhook, chat]: [(typeof forms.webhook)[Form], (typeof forms.chat)[Form]] = [
    forms.webhook[form],
    forms.chat[form],
  ]
  const examples = [webhook, chat].flatMap((schema) => schema.meta()?.['examples'] ?? [])
  return z.discriminatedUnion('kind', [webhook, chat]).meta({ id, description, examples })
}

export const ReceiverCreation = unionOf(
  'creation',
  'ReceiverCreation',
  'A webhook or chat to add. `kind` decides which other members it has',
)
export type ReceiverCreation = z.infer<typeof ReceiverCreation>

export const CreatedReceiver = unionOf('created', 'CreatedReceiver', 'A new webhook, with its signing secret, or chat')
export type CreatedReceiver = z.infer<typeof CreatedReceiver>

export const ReceiverChange = unionOf(
  'change',
  'ReceiverChange',
  'The members to change, and the kind of the receiver, which stays the same',
)
export type ReceiverChange = z.infer<typeof ReceiverChange>

export const ChangedReceiver = unionOf('changed', 'ChangedReceiver', 'A webhook or chat as it was saved, with warnings')
export type ChangedReceiver = z.infer<typeof ChangedReceiver>

export const Receiver = unionOf('saved', 'Receiver', 'A webhook or chat, without its secrets')
export type Receiver = z.infer<typeof Receiver>

export const ReceiverList = listOf(Receiver, { id: 'ReceiverList', description: 'Webhooks and chats' })

const savedToTest = z.discriminatedUnion('kind', [webhookForms.savedToTest, chatForms.savedToTest])
const unsavedToTest = z.discriminatedUnion('kind', [webhookForms.unsavedToTest, chatForms.unsavedToTest])

export const ReceiverToTest = z.union([savedToTest, unsavedToTest]).meta({
  id: 'ReceiverToTest',
  description:
    'The webhook or chat to test: a saved one by its id, perhaps with changes that are not saved, or one that is not ' +
    'saved yet. The test of an unsaved webhook is signed with `signing_secret`, so that its receiver can verify it. ' +
    'The line that a chat gets begins with `Test: `',
  examples: [
    { kind: 'webhook', url: 'https://tiles.example.org/hook', secret_token: 'a-token-of-yours' },
    { kind: 'chat', id: '7d1f0c52-3a5e-4f6b-8c21-9e0b6a4d2f13' },
  ],
})
export type ReceiverToTest = z.infer<typeof ReceiverToTest>
