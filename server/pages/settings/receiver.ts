// Webhooks and chats; `kind` tells them apart.
import type { Chat, Webhook } from '@floe/contract'
import type { WithRepos } from './place.ts'

export type Kind = 'webhook' | 'chat'

/** A receiver as the service lists it, with its kind. */
export type Receiver = WithRepos<({ readonly kind: 'webhook' } & Webhook) | ({ readonly kind: 'chat' } & Chat)>

export const serviceNames = {
  slack: 'Slack',
  mattermost: 'Mattermost',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  googlechat: 'Google Chat',
  rocketchat: 'Rocket.Chat',
} as const
