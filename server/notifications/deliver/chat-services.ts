// The chat services: their hosts, and the body that shows one line of plain text. The line is shown literally: no markup, no mentions, and
// no previews of links where the service can switch them off.
import type { ChatService } from '@floe/storage/database'

/** The hosts of chat services. Mattermost and Rocket.Chat can run at any host, so people can also choose the service. */
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

/** The service of chats at unknown hosts, because many servers accept Slack's `{"text": ...}`. */
export const defaultChatService: ChatService = 'slack'

/** Returns the service at the host of a URL; undefined for an unknown host. */
export function detectChatService(url: URL): ChatService | undefined {
  return hosts.find(([pattern]) => pattern.test(url.hostname))?.[1]
}

/** Discord's limit of a message in characters. The code counts UTF-16 units, which are never fewer. */
const discordLimit = 2_000

/** The flag `SUPPRESS_EMBEDS`: no previews of links (https://docs.discord.com/developers/resources/message#message-object-message-flags). */
const discordSuppressEmbeds = 4

/** Writes the JSON body that shows `line` in a chat of `service`. */
export function writeChatBody(service: ChatService, line: string): string {
  return JSON.stringify(bodies[service](line))
}

/** Returns the URL to send to. Discord confirms a message only when the query asks it to wait. */
export function addressChat(service: ChatService, url: URL): URL {
  const target = new URL(url)
  if (service === 'discord') target.searchParams.set('wait', 'true')
  return target
}

const bodies: { readonly [service in ChatService]: (line: string) => object } = {
  // https://docs.slack.dev/messaging/formatting-message-text: every mention and link begins with one of these three characters.
  slack: (line) => ({
    text: escapeTags(line),
    mrkdwn: false,
    // No previews of links in a commit message.
    unfurl_links: false,
    unfurl_media: false,
  }),
  // Mattermost finds mentions after it has parsed the Markdown, so a backslash does not stop them, but a zero-width space does.
  mattermost: (line) => ({ text: escapeMarkdown(line).join('').replaceAll('@', '@\u200b') }),
  discord: (line) => ({
    content: joinWithin(discordLimit, escapeMarkdown(line)),
    allowed_mentions: { parse: [] },
    flags: discordSuppressEmbeds,
  }),
  // Google Chat parses `text` as its own markup, which has no escapes; the text of a card is HTML
  // (https://developers.google.com/workspace/chat/format-messages).
  googlechat: (line) => ({
    fallbackText: line,
    cardsV2: [{ cardId: 'head', card: { sections: [{ widgets: [{ textParagraph: { text: escapeTags(line) } }] }] } }],
  }),
  // A backslash stops only these four marks. Links, spoilers, times, channels and mentions end at a zero-width space
  // (https://github.com/RocketChat/Rocket.Chat/tree/develop/packages/message-parser).
  rocketchat: (line) => ({ text: line.replaceAll(/[*_~`]/g, '\\$&').replaceAll(/[@#<|\]]/g, '$&\u200b') }),
  // Teams parses a TextBlock as Markdown, but never a TextRun.
  teams: (line) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: line }] }],
        },
      },
    ],
  }),
}

/** Escapes the characters that begin a tag or an entity in HTML and in Slack's markup. */
function escapeTags(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Splits a text into code points and escapes those that begin markup. Every Markdown parser accepts a backslash before these. */
function escapeMarkdown(text: string): string[] {
  return Array.from(text, (character) => (/[\\`*_~[\]|#>]/.test(character) ? `\\${character}` : character))
}

/** Joins as many whole pieces as fit. */
function joinWithin(limit: number, pieces: readonly string[]): string {
  let text = ''
  for (const piece of pieces) {
    if (text.length + piece.length > limit) break
    text += piece
  }
  return text
}
