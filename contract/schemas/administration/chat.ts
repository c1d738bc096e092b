import { z } from 'zod'
import { listOf } from '../values.ts'
import {
  changeMembers,
  isResumeAllowed,
  ofOrganisation,
  orgReceiverChange,
  orgReceiverInput,
  receiverChange,
  ReceiverId,
  receiverExample,
  receiverInput,
  receiverMembers,
  receiverToTest,
  resumeRule,
} from './receiver.ts'

/** The chat services that Floe can write to. */
export const ChatService = z
  .enum(['slack', 'mattermost', 'discord', 'teams', 'googlechat', 'rocketchat'])
  .describe(
    'The chat service, which decides the format of the message. Default: the service that the host of the URL belongs to; for any other host ' +
      '`slack`, because many servers accept its `{"text": ...}`. Name the service of your own Mattermost or Rocket.Chat server, so that ' +
      'mentions and markup in commit messages are shown as plain text',
  )

const chatExample = {
  ...receiverExample,
  id: '7d1f0c52-3a5e-4f6b-8c21-9e0b6a4d2f13',
  alias: 'forecast team',
  url: 'https://hooks.slack.com/...',
  service: 'slack' as const,
}
const target = { url: 'https://hooks.slack.com/services/T0000/B0000/XXXX' }

export const Chat = z
  .object({
    ...receiverMembers,
    url: z.string().describe('Origin of the URL, followed by `/...`. The path is a secret and is never shown'),
    service: ChatService,
  })
  .meta({ id: 'Chat', description: 'A chat that receives one line of text for each event', examples: [chatExample] })
export type Chat = z.infer<typeof Chat>

export const ChangedChat = Chat.extend(changeMembers).meta({
  id: 'ChangedChat',
  description: 'A chat after it was created or changed',
  examples: [{ ...chatExample, warnings: [] }],
})
export type ChangedChat = z.infer<typeof ChangedChat>

export const ChatList = listOf(Chat, { id: 'ChatList', description: 'All chats of a repository' })

export const NewChat = z
  .strictObject({
    ...receiverInput,
    service: ChatService.optional(),
    enabled: z.boolean().optional().describe('Default true'),
  })
  .meta({
    id: 'NewChat',
    description: 'What a new chat needs',
    examples: [{ ...target, alias: 'forecast team', events: ['NewCommit'] }],
  })
export type NewChat = z.infer<typeof NewChat>

const chatChange = z.strictObject({ ...receiverChange, service: ChatService.optional() })

export const ChatChange = chatChange
  .refine(isResumeAllowed, resumeRule)
  .meta({
    id: 'ChatChange',
    description: 'The members of a chat to change; those that are left out stay as they are',
    examples: [{ enabled: true, resume: 'latest' }],
  })
export type ChatChange = z.infer<typeof ChatChange>

export const ChatToTest = z
  .union([
    z.strictObject({ id: ReceiverId, ...NewChat.pick({ url: true, service: true }).partial().shape }),
    NewChat.pick({ url: true, service: true }).extend(receiverToTest),
  ])
  .meta({
    id: 'ChatToTest',
    description:
      'The chat to test: a saved one by its id, perhaps with changes that are not saved, or one that is not saved yet. The line that it gets ' +
      'begins with `Test: `',
    examples: [target, { id: chatExample.id }],
  })
export type ChatToTest = z.infer<typeof ChatToTest>

const orgExample = { ...chatExample, repos: ['**'] }

export const OrgChat = Chat.extend(ofOrganisation).meta({
  id: 'OrgChat',
  description: 'A chat of an organisation',
  examples: [orgExample],
})
export type OrgChat = z.infer<typeof OrgChat>

export const ChangedOrgChat = ChangedChat.extend(ofOrganisation).meta({
  id: 'ChangedOrgChat',
  description: 'A chat of an organisation after it was created or changed',
  examples: [{ ...orgExample, warnings: [] }],
})

export const OrgChatList = listOf(OrgChat, { id: 'OrgChatList', description: 'All chats of an organisation' })

export const NewOrgChat = NewChat.extend(orgReceiverInput).meta({
  id: 'NewOrgChat',
  description: 'What a new chat of an organisation needs',
  examples: [{ ...target, alias: 'forecast team', events: ['NewCommit'], repos: ['forecast-*'] }],
})
export type NewOrgChat = z.infer<typeof NewOrgChat>

export const OrgChatChange = chatChange
  .extend(orgReceiverChange)
  .refine(isResumeAllowed, resumeRule)
  .meta({
    id: 'OrgChatChange',
    description: 'The members of a chat of an organisation to change; those that are left out stay as they are',
    examples: [{ repos: ['**'] }],
  })
export type OrgChatChange = z.infer<typeof OrgChatChange>
