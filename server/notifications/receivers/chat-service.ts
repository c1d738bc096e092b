// Detects the chat service of a URL by its host. Mattermost and Rocket.Chat may run at any host, so people can also set the service by hand.
import type { ChatService } from '@floe/storage/database'

const hosts: readonly (readonly [RegExp, ChatService])[] = [
  [/^hooks\.slack(-gov)?\.com$/, 'slack'],
  [/^((canary|ptb)\.)?discord(app)?\.com$/, 'discord'],
  // Incoming webhooks of Teams, and the Workflows that replace them.
  [/(^|\.)webhook\.office(365)?\.com$|^outlook\.office(365)?\.com$/, 'teams'],
  [/\.logic\.azure\.com$|\.api\.powerplatform\.com$/, 'teams'],
  [/\.cloud\.mattermost\.com$/, 'mattermost'],
  [/^chat\.googleapis\.com$/, 'googlechat'],
  [/\.rocket\.chat$/, 'rocketchat'],
]

/** The service of chats whose host does not tell it: many servers take the `{"text": ...}` of Slack. */
export const defaultChatService: ChatService = 'slack'

/** Returns the service at the host of a URL; undefined when the host does not tell. */
export function detectChatService(url: URL): ChatService | undefined {
  return hosts.find(([pattern]) => pattern.test(url.hostname))?.[1]
}
