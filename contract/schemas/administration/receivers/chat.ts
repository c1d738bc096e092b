import { z } from 'zod'
import { chatServices } from '../../../lists.ts'
import { ReceiverId, receiverExample, receiverInput, testInput } from './receiver.ts'
import { organisations, receiverForms, repositories } from './receiver-forms.ts'
import { storedSearchExample } from './stored-search.ts'

/** The chat services that Floe can write to. */
export const ChatService = z
  .enum(chatServices)
  .describe(
    'The chat service, which decides the format of the message, and which answers mean that it is shown. Default: ' +
      'the service that the host of the URL belongs to; for any other host `slack`, because many servers accept its ' +
      '`{"text": ...}`, with the warning `chat-service-guessed`. Name the service of your own Mattermost or ' +
      'Rocket.Chat server, so that mentions and markup in commit messages are shown as plain text',
  )

const kind = {
  name: 'Chat',
  noun: 'chat',
  receives: 'one line of text for each event',
  fields: {
    url: z.string().describe('Origin of the URL, followed by `/...`. The path is a secret and is never shown'),
    service: ChatService,
  },
  input: { service: ChatService.optional() },
  change: { service: ChatService.optional() },
} as const

const target = { url: 'https://hooks.slack.com/services/T0000/B0000/XXXX' }
const example = {
  ...receiverExample,
  id: '7d1f0c52-3a5e-4f6b-8c21-9e0b6a4d2f13',
  alias: 'forecast team',
  url: 'https://hooks.slack.com/...',
  service: 'slack',
}
const newExample = { ...target, alias: 'forecast team', events: ['NewCommit'] }

export const ChatToTest = z
  .union([
    z.strictObject({ id: ReceiverId, url: receiverInput.url.optional(), service: ChatService.optional() }),
    z.strictObject({ url: receiverInput.url, service: ChatService.optional(), ...testInput }),
  ])
  .meta({
    id: 'ChatToTest',
    description:
      'The chat to test: a saved one by its id, perhaps with changes that are not saved, or one that is not saved ' +
      'yet. The line that it gets begins with `Test: `',
    examples: [target, { id: example.id }],
  })
export type ChatToTest = z.infer<typeof ChatToTest>

const forms = receiverForms(kind, repositories, {
  saved: example,
  creation: newExample,
  change: { enabled: true, resume: 'latest' },
})
const orgForms = receiverForms(kind, organisations, {
  saved: { ...example, repos: ['**'], search: null },
  creation: { ...newExample, repos: ['forecast-*'], search: storedSearchExample },
  change: { repos: ['**'] },
})

/** The schemas of chats of a repository. */
export const ofRepository = { ...forms, created: forms.changed, toTest: ChatToTest }
/** The schemas of chats of an organisation. */
export const ofOrganisation = { ...orgForms, created: orgForms.changed, toTest: ChatToTest }

export const Chat = forms.saved
export type Chat = z.infer<typeof Chat>
export const ChangedChat = forms.changed
export type ChangedChat = z.infer<typeof ChangedChat>
export const ChatList = forms.list
export const ChatCreation = forms.creation
export type ChatCreation = z.infer<typeof ChatCreation>
export const ChatChange = forms.change
export type ChatChange = z.infer<typeof ChatChange>

export const OrgChat = orgForms.saved
export type OrgChat = z.infer<typeof OrgChat>
export const ChangedOrgChat = orgForms.changed
export const OrgChatList = orgForms.list
export const OrgChatCreation = orgForms.creation
export type OrgChatCreation = z.infer<typeof OrgChatCreation>
export const OrgChatChange = orgForms.change
export type OrgChatChange = z.infer<typeof OrgChatChange>
