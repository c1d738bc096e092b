// Receivers: webhooks and chats. `kind` tells them apart.
import type { ChatService } from '@floe/contract/lists'

export type { Receiver } from '@floe/client'

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
