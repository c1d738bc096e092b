// Detects the chat service of a URL by its host. A Mattermost server may have any host, so people can also set the service by hand.
import type { ChatService } from '@floe/storage/database'

const hosts: readonly (readonly [RegExp, ChatService])[] = [
  [/^hooks\.slack(-gov)?\.com$/, 'slack'],
  [/^((canary|ptb)\.)?discord(app)?\.com$/, 'discord'],
  // Incoming webhooks of Teams, and the Workflows that replace them.
  [/(^|\.)webhook\.office(365)?\.com$|^outlook\.office(365)?\.com$/, 'teams'],
  [/\.logic\.azure\.com$|\.api\.powerplatform\.com$/, 'teams'],
  [/\.cloud\.mattermost\.com$/, 'mattermost'],
]

/** Returns the service at the host of a URL; undefined when the host does not tell. */
export function detectChatService(url: URL): ChatService | undefined {
  return hosts.find(([pattern]) => pattern.test(url.hostname))?.[1]
}
