// Which chat service a URL belongs to, told from its host. A Mattermost server may have any host: for it the service is set by hand.
import type { ChatService } from '@floe/storage/database'

const hosts: readonly (readonly [RegExp, ChatService])[] = [
  [/^hooks\.slack(-gov)?\.com$/, 'slack'],
  [/^((canary|ptb)\.)?discord(app)?\.com$/, 'discord'],
  // Incoming webhooks of Teams, and the Workflows that replace them.
  [/(^|\.)webhook\.office(365)?\.com$|^outlook\.office(365)?\.com$/, 'teams'],
  [/\.logic\.azure\.com$|\.api\.powerplatform\.com$/, 'teams'],
  [/\.cloud\.mattermost\.com$/, 'mattermost'],
]

/** The service at this host, or undefined when the host does not tell. */
export function detectChatService(url: URL): ChatService | undefined {
  return hosts.find(([pattern]) => pattern.test(url.hostname))?.[1]
}
