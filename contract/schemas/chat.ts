import { z } from 'zod'
import { changeMembers, ConfigurationId, configurationInput, configurationMembers, Resume } from './configuration.ts'

/** The chats whose bodies are known. */
export const ChatService = z
  .enum(['slack', 'mattermost', 'discord', 'teams'])
  .describe('Kind of the chat; told from the host of the URL where that tells')

/** A chat that receives a line of text. */
export const Chat = z
  .object({
    ...configurationMembers,
    url: z.string().describe('Origin of the URL and `/...`: its path is a secret, and never shown'),
    service: ChatService,
  })
  .meta({ id: 'Chat' })
export type Chat = z.infer<typeof Chat>

/** A chat after it was made or changed. */
export const ChangedChat = Chat.extend(changeMembers).meta({ id: 'ChangedChat' })
export type ChangedChat = z.infer<typeof ChangedChat>

/** All chats of a repository, oldest first. */
export const ChatList = z.object({ items: z.array(Chat) }).meta({ id: 'ChatList' })

/** What a new chat needs. */
export const NewChat = z
  .strictObject({
    ...configurationInput,
    service: ChatService.optional(),
    enabled: z.boolean().optional().describe('Default true'),
  })
  .meta({ id: 'NewChat' })
export type NewChat = z.infer<typeof NewChat>

/** Members to change; the others stay. */
export const ChatChange = z
  .strictObject({
    ...z.object(configurationInput).partial().shape,
    service: ChatService.optional(),
    enabled: z.boolean().optional(),
    resume: Resume.optional(),
  })
  .refine(({ enabled, resume }) => resume === undefined || enabled === true, {
    path: ['resume'],
    message: 'goes with enabled: true',
  })
  .meta({ id: 'ChatChange' })
export type ChatChange = z.infer<typeof ChatChange>

/** What is to be checked: a chat that was saved, perhaps with changes that were not, or one that was not saved yet. */
export const ChatCheck = z
  .union([
    z.strictObject({ id: ConfigurationId, ...NewChat.pick({ url: true, service: true }).partial().shape }),
    NewChat.pick({ url: true, service: true }).extend({
      alias: NewChat.shape.alias.optional(),
      events: NewChat.shape.events.optional(),
      enabled: z.boolean().optional(),
    }),
  ])
  .meta({ id: 'ChatCheck' })
export type ChatCheck = z.infer<typeof ChatCheck>
