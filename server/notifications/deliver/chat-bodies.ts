// One line of plain text in the form each chat service takes. Whatever the line says, it is shown as it stands: no markup, no mention.
import type { ChatService } from '@floe/storage/database'

/** Discord's limit of a message. Counted here in UTF-16 units, of which a text has at least as many as of any other. */
const discordLimit = 2_000

/** The JSON body that shows `line` in a chat of `service`. */
export function chatBody(service: ChatService, line: string): string {
  return JSON.stringify(bodies[service](line))
}

/** Where the body is sent: Discord confirms a message only when asked to wait for it. */
export function chatUrl(service: ChatService, url: URL): URL {
  const target = new URL(url)
  if (service === 'discord') target.searchParams.set('wait', 'true')
  return target
}

const bodies: { readonly [service in ChatService]: (line: string) => object } = {
  // https://docs.slack.dev/messaging/formatting-message-text: these three characters start every mention and link.
  slack: (line) => ({
    text: line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    mrkdwn: false,
  }),
  // Mattermost looks for mentions after it has read the Markdown, so a backslash does not stop them; an invisible break does.
  mattermost: (line) => ({ text: escapeMarkdown(line).join('').replaceAll('@', '@\u200b') }),
  discord: (line) => ({ content: joinWithin(discordLimit, escapeMarkdown(line)), allowed_mentions: { parse: [] } }),
  // A TextRun, unlike a TextBlock, is never read as Markdown.
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

/**
 * The code points of a text, escaped where they begin markup inside a line. Only characters that every Markdown reader lets a backslash
 * escape.
 */
function escapeMarkdown(text: string): string[] {
  return Array.from(text, (character) => (/[\\`*_~[\]|#>]/.test(character) ? `\\${character}` : character))
}

/** As many pieces as fit; none is cut. */
function joinWithin(limit: number, pieces: readonly string[]): string {
  let text = ''
  for (const piece of pieces) {
    if (text.length + piece.length > limit) break
    text += piece
  }
  return text
}
