// Receivers: webhooks and chats. `kind` tells them apart.
import type { Chat, Webhook } from '@floe/client'
import type { ChatService } from '@floe/contract/lists'
import type { WithRepos } from './settings-scope.ts'

/** A receiver as the service lists it, with its kind. */
export type Receiver = WithRepos<({ readonly kind: 'webhook' } & Webhook) | ({ readonly kind: 'chat' } & Chat)>

/** The names of chat services for people. */
export const serviceNames = {
  slack: 'Slack',
  mattermost: 'Mattermost',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  googlechat: 'Google Chat',
  rocketchat: 'Rocket.Chat',
  dingtalk: 'DingTalk',
  feishu: 'Feishu or Lark',
  wecom: 'WeCom',
} satisfies Record<ChatService, string>
