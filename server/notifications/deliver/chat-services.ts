// The chat services: their hosts, the body that shows lines of plain text, and the answers that mean that it is not
// shown. Lines are shown literally: no markup, no mentions, and no previews of links if the service can switch them
// off.
import type { ChatService } from '@floe/contract/lists'
import { z } from 'zod'
import { escapeTags, joinWithin, type MarkupService, writeMarkupAddress, writeMarkupPieces } from './chat-text.ts'

/**
 * The hosts of chat services. Mattermost and Rocket.Chat can run at any host, so people can also choose the service.
 */
const hosts: readonly (readonly [RegExp, ChatService])[] = [
  [/^hooks\.slack(-gov)?\.com$/, 'slack'],
  [/^((canary|ptb)\.)?discord(app)?\.com$/, 'discord'],
  // Incoming webhooks of Teams, and the Workflows that replace them.
  [/(^|\.)webhook\.office(365)?\.com$|^outlook\.office(365)?\.com$/, 'teams'],
  [/\.logic\.azure\.com$|\.api\.powerplatform\.com$/, 'teams'],
  // Workflows in the clouds of US authorities and of China.
  [/\.logic\.azure\.(us|cn)$|\.powerplatform\.(microsoft\.us|partner\.microsoftonline\.cn)$/, 'teams'],
  [/\.appsplatform\.us$/, 'teams'],
  [/\.cloud\.mattermost\.com$/, 'mattermost'],
  [/^chat\.googleapis\.com$/, 'googlechat'],
  [/\.rocket\.chat$/, 'rocketchat'],
  [/^oapi\.dingtalk\.(com|io)$/, 'dingtalk'],
  [/^open\.(feishu\.cn|larksuite\.com)$/, 'feishu'],
  [/^qyapi\.weixin\.qq\.com$/, 'wecom'],
]

/** The service of chats at unknown hosts, because many servers accept Slack's `{"text": ...}`. */
const defaultChatService: ChatService = 'slack'

/** Returns the service at the host of a URL; undefined for an unknown host. */
export function detectChatService(url: URL): ChatService | undefined {
  return hosts.find(([pattern]) => pattern.test(url.hostname))?.[1]
}

/** Returns the service that was chosen, or else the one at the host of the URL, or else Slack. */
export function resolveChatService(chosen: ChatService | null | undefined, url: URL): ChatService {
  return chosen ?? detectChatService(url) ?? defaultChatService
}

/** Discord's limit of a message in characters. */
const discordLimit = 2_000

/** WeCom's limit of a message in bytes. */
const wecomLimit = 2_048

/**
 * The flag `SUPPRESS_EMBEDS`: no previews of links
 * (https://docs.discord.com/developers/resources/message#message-object-message-flags).
 */
const discordSuppressEmbeds = 4

/** Longest message of several lines in characters. All services take as much, except those with a limit above. */
const linesLimit = 4_000

/** A line of a message, and the link to a page of this service after it, which is never cut. */
export type ChatLine = { readonly text: string; readonly link?: string | undefined }

/**
 * Writes the JSON body that shows lines in a chat of `service`, as many as fit. Most services link an address by
 * themselves; the others get it in a form of their own.
 */
export function writeChatBody(service: ChatService, lines: readonly ChatLine[]): string {
  const fitting = fitLines(linesLimit, lines, { text: more }, (line) => linkPlainly(line).length)
  return JSON.stringify(bodies[service](fitting))
}

/** The last line of a message that was cut. */
const more = '…'

/** Returns the lines that fit, with another one after them if some do not. The first one is always returned. */
function fitLines<Line>(
  limit: number,
  lines: readonly Line[],
  last: Line,
  measure: (line: Line) => number,
): readonly Line[] {
  // A line break takes one.
  let room = limit - measure(last)
  const cut = lines.findIndex((line) => (room -= measure(line) + 1) < 0)
  return cut <= 0 ? lines : [...lines.slice(0, cut), last]
}

/**
 * Joins the pieces of each line that fit beside its link, and the lines that fit.
 *
 * @param measure returns the size of a text in the unit of the limit; default: UTF-16 units, which are at least as many
 *   as characters
 */
function joinLines(
  limit: number,
  lines: readonly { readonly pieces: Iterable<string>; readonly link: string | undefined }[],
  measure: (text: string) => number = ({ length }) => length,
): string {
  const written = lines.map(({ pieces, link }) => {
    const end = link === undefined ? '' : ` ${link}`
    return joinWithin(limit - measure(end), pieces, measure) + end
  })
  return fitLines(limit, written, more, measure).join('\n')
}

function linkPlainly({ text, link }: ChatLine): string {
  return link === undefined ? text : `${text} ${link}`
}

function writePlainly(lines: readonly ChatLine[]): string {
  return lines.map(linkPlainly).join('\n')
}

/**
 * Returns the URL to send to. Discord confirms a message only when the query asks it to wait. At `/slack` it takes
 * Slack's body, in which mentions cannot be switched off, so its own body is sent to its own address.
 */
export function addressChat(service: ChatService, url: URL): URL {
  const target = new URL(url)
  if (service === 'discord') {
    target.pathname = target.pathname.replace(/\/slack$/, '')
    target.searchParams.set('wait', 'true')
  }
  return target
}

/** Whether the text of a 2xx answer says that the message is not shown. */
export function isRefusal(service: ChatService, text: string): boolean {
  // https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
  if (service === 'teams' && /HTTP error \d{3}/.test(text)) return true
  const { errcode, code, ok, success } = parseAnswer(text)
  // Some servers repeat the status as `code`.
  return (
    isErrorCode(errcode) || (isErrorCode(code) && !/^2\d\d$/.test(String(code))) || ok === false || success === false
  )
}

/** Members that say whether a message is shown: in DingTalk and WeCom, Feishu, Slack, and Rocket.Chat. */
const Answer = z.object({ errcode: z.unknown(), code: z.unknown(), ok: z.unknown(), success: z.unknown() }).partial()

/** Parses an answer. One that is no JSON object has no members. */
function parseAnswer(text: string): z.infer<typeof Answer> {
  try {
    return Answer.safeParse(JSON.parse(text)).data ?? {}
  } catch {
    return {}
  }
}

function isErrorCode(value: unknown): boolean {
  return (
    (typeof value === 'number' || typeof value === 'string') && /^-?\d+$/.test(String(value)) && Number(value) !== 0
  )
}

const bodies: { readonly [service in ChatService]: (lines: readonly ChatLine[]) => object } = {
  // https://docs.slack.dev/messaging/formatting-message-text: every mention and link begins with one of these three
  // characters.
  slack: (lines) => ({
    text: escapeTags(writePlainly(lines)),
    mrkdwn: false,
    // No previews of links in a commit message.
    unfurl_links: false,
    unfurl_media: false,
  }),
  mattermost: (lines) => ({ text: writeMarkup('mattermost', lines) }),
  discord: (lines) => ({
    content: writeMarkup('discord', lines, discordLimit),
    allowed_mentions: { parse: [] },
    flags: discordSuppressEmbeds,
  }),
  // Google Chat parses `text` as its own markup, which has no escapes; the text of a card is HTML
  // (https://developers.google.com/workspace/chat/format-messages).
  googlechat: (lines) => {
    const shown = lines.map(({ text, link }) => {
      const address = link && escapeTags(link)
      return linkPlainly({ text: escapeTags(text), link: address && `<a href="${address}">${address}</a>` })
    })
    const widget = { textParagraph: { text: shown.join('<br>') } }
    return {
      fallbackText: writePlainly(lines),
      cardsV2: [{ cardId: 'head', card: { sections: [{ widgets: [widget] }] } }],
    }
  },
  rocketchat: (lines) => ({ text: writeMarkup('rocketchat', lines) }),
  // Teams parses a TextBlock as Markdown, but never a TextRun.
  teams: (lines) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: lines.map((line) => ({ type: 'RichTextBlock', inlines: writeTextRuns(line) })),
        },
      },
    ],
  }),
  // https://open.dingtalk.com/document/orgapp/custom-robots-send-group-messages: only `at` mentions people.
  dingtalk: (lines) => ({ msgtype: 'text', text: { content: writePlainly(lines) } }),
  // https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot: a message of type `text` mentions people with
  // `<at>`, the text of a `post` does not.
  feishu: (lines) => {
    const content = lines.map(({ text, link }) => [
      { tag: 'text', text: link === undefined ? text : `${text} ` },
      ...(link === undefined ? [] : [{ tag: 'a', text: link, href: link }]),
    ])
    return { msg_type: 'post', content: { post: { zh_cn: { content } } } }
  },
  // https://developer.work.weixin.qq.com/document/path/91770: `<@userid>` mentions people.
  wecom: (lines) => {
    const written = lines.map(({ text, link }) => ({ pieces: text.replaceAll('<', '<\u200b'), link }))
    return { msgtype: 'text', text: { content: joinLines(wecomLimit, written, (text) => Buffer.byteLength(text)) } }
  },
}

function writeMarkup(service: MarkupService, lines: readonly ChatLine[], limit = Infinity): string {
  const written = lines.map(({ text, link }) => ({
    pieces: writeMarkupPieces(service, text),
    link: link && writeMarkupAddress(service, link),
  }))
  return joinLines(limit, written)
}

/** https://adaptivecards.io/explorer/TextRun.html: a run opens an address when it is selected. */
function writeTextRuns({ text, link }: ChatLine): readonly object[] {
  if (link === undefined) return [{ type: 'TextRun', text }]
  const selectAction = { type: 'Action.OpenUrl', url: link }
  return [
    { type: 'TextRun', text: `${text} ` },
    { type: 'TextRun', text: link, selectAction },
  ]
}
