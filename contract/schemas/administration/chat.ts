import { z } from 'zod'
import { listOf } from '../values.ts'
import { changeMembers, ReceiverId, receiverExample, receiverInput, receiverMembers, Resume } from './receiver.ts'

/** The chat services that Floe can write to. */
export const ChatService = z
  .enum(['slack', 'mattermost', 'discord', 'teams', 'googlechat', 'rocketchat'])
  .describe(
    'The chat service, whose form the message has. When it is left out, the host of the URL tells it; at any other host it is `slack`, whose ' +
      '`{"text": ...}` other servers take too. Name it for a Mattermost or Rocket.Chat server of your own: mentions and markup in commit ' +
      'messages are then shown as plain text',
  )

const chatExample = {
  ...receiverExample,
  id: '7d1f0c52-3a5e-4f6b-8c21-9e0b6a4d2f13',
  alias: 'forecast team',
  url: 'https://hooks.slack.com/...',
  service: 'slack' as const,
}
const target = { url: 'https://hooks.slack.com/services/T0000/B0000/XXXX' }

/** A chat that receives one line of text for each event. */
export const Chat = z
  .object({
    ...receiverMembers,
    url: z.string().describe('Origin of the URL, followed by `/...`. The path is a secret and is never shown'),
    service: ChatService,
  })
  .meta({ id: 'Chat', description: 'A chat that receives one line of text for each event', examples: [chatExample] })
export type Chat = z.infer<typeof Chat>

/** A chat after it was made or changed. */
export const ChangedChat = Chat.extend(changeMembers).meta({
  id: 'ChangedChat',
  description: 'A chat after it was created or changed',
  examples: [{ ...chatExample, warnings: [] }],
})
export type ChangedChat = z.infer<typeof ChangedChat>

/** All chats of a repository. */
export const ChatList = listOf(Chat, { id: 'ChatList', description: 'All chats of a repository' })

/** What a new chat needs. */
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

/** The members to change; those that are left out stay as they are. */
export const ChatChange = z
  .strictObject({
    ...z.object(receiverInput).partial().shape,
    service: ChatService.optional(),
    enabled: z.boolean().optional().describe('false: hold deliveries; true: send the held ones as `resume` says'),
    resume: Resume.optional(),
  })
  .refine(({ enabled, resume }) => resume === undefined || enabled === true, {
    path: ['resume'],
    message: 'is only allowed together with enabled: true',
  })
  .meta({
    id: 'ChatChange',
    description: 'The members of a chat to change; those that are left out stay as they are',
    examples: [{ enabled: true, resume: 'latest' }],
  })
export type ChatChange = z.infer<typeof ChatChange>

/** The chat to test: a saved one by its id, perhaps with changes that are not saved, or one that is not saved yet. */
export const ChatToTest = z
  .union([
    z.strictObject({ id: ReceiverId, ...NewChat.pick({ url: true, service: true }).partial().shape }),
    NewChat.pick({ url: true, service: true }).extend({
      alias: NewChat.shape.alias.optional(),
      events: NewChat.shape.events.optional(),
      enabled: z.boolean().optional().describe('Ignored'),
    }),
  ])
  .meta({
    id: 'ChatToTest',
    description:
      'The chat to test: a saved one by its id, perhaps with changes that are not saved, or one that is not saved yet. The line that it gets ' +
      'begins with `Test: `',
    examples: [target, { id: chatExample.id }],
  })
export type ChatToTest = z.infer<typeof ChatToTest>
