import { z } from 'zod'
import { chatServices, defaultFilter, pickSettings } from '../../../lists.ts'
import { settingsOf } from './filter.ts'
import { receiverForms } from './receiver-forms.ts'
import { receiverExample } from './receiver-members.ts'

/** The chat services that Floe can write to. */
export const ChatService = z
  .enum(chatServices)
  .describe(
    'The chat service, which decides the format of the message, and which answers mean that it is shown. Default: ' +
      'the service that the host of the URL belongs to; for any other host `slack`, because many servers accept its ' +
      '`{"text": ...}`, with the warning `chat-service-guessed`. Name the service of your own Mattermost or ' +
      'Rocket.Chat server, so that mentions and markup in commit messages are shown as plain text',
  )

/** The schemas of chats. */
export const chatForms = receiverForms({
  kind: 'chat',
  title: 'Chat',
  receives: 'one line of text for each event, or several lines in one message',
  answered: {
    url: z.string().describe('Origin of the URL, followed by `/...`. The path is a secret and is never shown'),
    service: ChatService,
  },
  settings: settingsOf('chat'),
  target: { service: ChatService.optional() },
  targetOfNew: {},
  examples: {
    saved: {
      ...receiverExample,
      ...pickSettings('chat', defaultFilter),
      id: '7d1f0c52-3a5e-4f6b-8c21-9e0b6a4d2f13',
      kind: 'chat',
      alias: 'forecast team',
      url: 'https://hooks.slack.com/...',
      service: 'slack',
      quiet: { from: '20:00', to: '07:00' },
    },
    creation: {
      kind: 'chat',
      url: 'https://hooks.slack.com/services/T0000/B0000/XXXX',
      alias: 'forecast team',
      events: ['NewCommit'],
    },
    change: { kind: 'chat', enabled: true, resume: 'latest' },
  },
} as const)

export const Chat = chatForms.saved
export type Chat = z.infer<typeof Chat>
export type ChatCreation = z.infer<typeof chatForms.creation>
export type ChatChange = z.infer<typeof chatForms.change>
