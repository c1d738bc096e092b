import { t } from 'tap'
import {
  writeChatBody as writeLines,
  addressChat,
  detectChatService,
} from '../../../../server/notifications/deliver/chat-services.ts'

const writeChatBody = (service: Parameters<typeof writeLines>[0], text: string, link?: string) =>
  writeLines(service, [{ text, link }])

const plain = 'acme/weather branch main is now at P874YS3J196959RDHX7G: Add the 12 UTC run'
const head = 'acme/weather branch main is now at P874YS3J196959RDHX7G: '
const hostile = [
  '<!channel> <@U024BE7LH> <https://evil.example|click> & &lt;!here&gt;',
  '@everyone @here @all @channel #general <users/all> <users/123>',
  '**bold** _italic_ ~~gone~~ `code` [click](https://evil.example) ![](https://evil.example/i.png) || hidden || # big',
  '*bold* ~gone~ ||hidden|| ![](https://evil.example/i.png) <t:1630360800:R> <b>bold</b> ' +
    '[a][b] [[a](https://evil.example)](x)',
  'back\\slash \\*escaped\\* "quoted" {"text":"x"}',
]

const writeText = (service: 'slack' | 'mattermost' | 'rocketchat', line: string) =>
  JSON.parse(writeChatBody(service, line)).text
/** An address in brackets, and in Rocket.Chat what is shown for it. */
const address = /<(?:https:[^\s<>|]*\|)?(https:[^\s<>|]*)>/g
/** Markdown's reading of backslashes: what is left unescaped could begin markup. */
const unescape = (markdown: string) => markdown.replaceAll(address, '').replaceAll(/\\[\\`*_~[\]|#<>]/g, '')
const read = (markdown: string) =>
  markdown
    .replaceAll(address, '$1')
    .replaceAll(/\\([\\`*_~[\]|#<>])/g, '$1')
    .replaceAll('\u200b', '')

t.test('a plain line is sent as it is', async (t) => {
  t.strictSame(JSON.parse(writeChatBody('slack', plain)), {
    text: plain,
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
  })
  t.strictSame(JSON.parse(writeChatBody('mattermost', plain)), { text: plain })
  t.strictSame(JSON.parse(writeChatBody('rocketchat', plain)), { text: plain })
  t.strictSame(JSON.parse(writeChatBody('googlechat', plain)), {
    fallbackText: plain,
    cardsV2: [{ cardId: 'head', card: { sections: [{ widgets: [{ textParagraph: { text: plain } }] }] } }],
  })
  t.strictSame(JSON.parse(writeChatBody('discord', plain)), {
    content: plain,
    allowed_mentions: { parse: [] },
    flags: 4,
  })
  t.strictSame(JSON.parse(writeChatBody('teams', plain)), {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: plain }] }],
        },
      },
    ],
  })
})

t.test('each service gets the link of the service after the line, in a form that it links', async (t) => {
  const link = 'https://floe.example.org/v1/gaps/wea_ther/main?path=a&along=b'
  const line = 'LATE: *a*'
  const read = (service: Parameters<typeof writeChatBody>[0]) => JSON.parse(writeChatBody(service, line, link))
  const html = link.replace('&', '&amp;')
  t.equal(read('slack').text, `${line} ${html}`)
  t.equal(read('mattermost').text, `LATE: \\*a\\* <${link}>`)
  t.equal(read('discord').content, `LATE: \\*a\\* <${link}>`)
  t.equal(read('rocketchat').text, `LATE: \\*a\\* <${link}|${link}>`)
  t.equal(read('dingtalk').text.content, `${line} ${link}`)
  t.equal(read('wecom').text.content, `${line} ${link}`)
  t.strictSame(read('feishu').content.post.zh_cn.content, [
    [
      { tag: 'text', text: `${line} ` },
      { tag: 'a', text: link, href: link },
    ],
  ])
  t.strictSame(read('teams').attachments[0].content.body[0].inlines, [
    { type: 'TextRun', text: `${line} ` },
    { type: 'TextRun', text: link, selectAction: { type: 'Action.OpenUrl', url: link } },
  ])
  const { fallbackText, cardsV2 } = read('googlechat')
  t.equal(fallbackText, `${line} ${link}`)
  t.equal(cardsV2[0].card.sections[0].widgets[0].textParagraph.text, `${line} <a href="${html}">${html}</a>`)
})

t.test('a long line is cut, and its link is not', async (t) => {
  const link = 'https://floe.example.org/v1/x'
  const { content } = JSON.parse(writeChatBody('discord', 'x'.repeat(3_000), link))
  t.equal(content, `${'x'.repeat(2_000 - link.length - 3)} <${link}>`)
  const { text } = JSON.parse(writeChatBody('wecom', '信'.repeat(1_000), link))
  t.ok(Buffer.byteLength(text.content) <= 2_048)
  t.ok(text.content.endsWith(`信 ${link}`))
})

t.test('of many lines, whole ones are sent that fit, and a last one says that there are more', async (t) => {
  const lines = Array.from({ length: 100 }, (_, n) => ({ text: `${n} ${'x'.repeat(90)}`, link: `https://x.org/${n}` }))
  const write = (service: Parameters<typeof writeLines>[0]) => JSON.parse(writeLines(service, lines))
  const texts: readonly (readonly [string, number])[] = [
    [write('slack').text, 4_000],
    [write('discord').content, 2_000],
    [write('wecom').text.content, 2_046],
  ]
  for (const [text, limit] of texts) {
    const sent = text.split('\n')
    t.ok(text.length <= limit && text.length > limit - 200, `${text.length}`)
    t.match(sent[0], /^0 x{90} <?https:\/\/x.org\/0>?$/)
    t.match(sent.at(-2), new RegExp(`^${sent.length - 2} x{90} <?https://x.org/${sent.length - 2}>?$`))
    t.equal(sent.at(-1), '\u2026')
  }
  const { body } = write('teams').attachments[0].content
  t.equal(body.length, write('slack').text.split('\n').length)
  t.equal(write('feishu').content.post.zh_cn.content.length, body.length)
  t.equal(
    write('googlechat').cardsV2[0].card.sections[0].widgets[0].textParagraph.text.split('<br>').length,
    body.length,
  )
})

t.test('Slack gets no character that begins a mention or a link, and reads the same text', async (t) => {
  for (const message of hostile) {
    const sent = writeText('slack', head + message)
    t.notMatch(sent, /[<>]/)
    t.notMatch(sent, /&(?!amp;|lt;|gt;)/)
    t.equal(sent.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'), head + message)
  }
})

t.test('Mattermost gets neither markup nor mentions, and reads the same text', async (t) => {
  for (const message of hostile) {
    const sent = writeText('mattermost', head + message)
    t.notMatch(unescape(sent), /[`*_~[\]|#>]|@\w/)
    t.equal(read(sent), head + message)
  }
})

t.test('Rocket.Chat gets neither markup nor mentions, and reads the same text', async (t) => {
  for (const message of hostile) {
    const sent = writeText('rocketchat', head + message)
    t.notMatch(sent.replaceAll(address, ''), /(?<!\\)[*_~`]|[@#<|\]](?!\u200b)/)
    t.equal(
      sent
        .replaceAll(address, '$1')
        .replaceAll(/\\([*_~`])/g, '$1')
        .replaceAll('\u200b', ''),
      head + message,
    )
  }
})

t.test("Google Chat's paragraph is HTML without tags, and reads the same text", async (t) => {
  for (const message of hostile) {
    const { text: none, cardsV2, fallbackText } = JSON.parse(writeChatBody('googlechat', head + message))
    const { text } = cardsV2[0].card.sections[0].widgets[0].textParagraph
    t.equal(none, undefined, 'a text would be read as markup')
    t.notMatch(text, /[<>]/)
    t.equal(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'), head + message)
    t.equal(fallbackText, head + message)
  }
})

t.test('Discord gets neither markup nor mentions, and reads the same text', async (t) => {
  for (const message of hostile) {
    const { content, allowed_mentions } = JSON.parse(writeChatBody('discord', head + message))
    t.notMatch(unescape(content), /[`*_~[\]|#>]/)
    t.equal(read(content), head + message)
    t.strictSame(allowed_mentions, { parse: [] })
  }
})

t.test("Teams' text run holds the text, whatever it says", async (t) => {
  for (const message of hostile) {
    const card = JSON.parse(writeChatBody('teams', head + message)).attachments[0].content
    t.strictSame(card.body, [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: head + message }] }])
  }
})

t.test('Discord gets at most 2,000 characters, none of them half', async (t) => {
  const writeContent = (line: string): string => JSON.parse(writeChatBody('discord', line)).content
  t.equal(writeContent('x'.repeat(3_000)), 'x'.repeat(2_000))
  t.equal(writeContent(`x${'😀'.repeat(1_500)}`), `x${'😀'.repeat(999)}`)
  t.equal(writeContent(`x${'*'.repeat(1_500)}`), `x${'\\*'.repeat(999)}`)
})

t.test('WeCom gets at most 2,048 bytes, none of them part of a character', async (t) => {
  const writeContent = (line: string): string => JSON.parse(writeChatBody('wecom', line)).text.content
  t.equal(writeContent('x'.repeat(3_000)), 'x'.repeat(2_048))
  t.equal(writeContent('信'.repeat(1_000)), '信'.repeat(682))
  t.equal(writeContent(`x${'😀'.repeat(1_000)}`), `x${'😀'.repeat(511)}`)
})

t.test('DingTalk, Feishu and WeCom get texts in which nothing mentions people', async (t) => {
  const line = `${head}<at user_id="all">all</at> <@all> @all`
  t.strictSame(JSON.parse(writeChatBody('dingtalk', line)), { msgtype: 'text', text: { content: line } })
  t.strictSame(JSON.parse(writeChatBody('feishu', line)), {
    msg_type: 'post',
    content: { post: { zh_cn: { content: [[{ tag: 'text', text: line }]] } } },
  })
  const content = line.replaceAll('<', '<\u200b')
  t.strictSame(JSON.parse(writeChatBody('wecom', line)), { msgtype: 'text', text: { content } })
})

t.test('addresses stay whole', async (t) => {
  const sentence = 'see https://x.org/my_group/~bob/a*b(c)?d=_e_#f_g, (https://x.org/a_b) or **https://x.org/_c_**.'
  const addresses = ['https://x.org/my_group/~bob/a*b(c)?d=_e_#f_g', 'https://x.org/a_b', 'https://x.org/_c']
  const bracketed = `see <${addresses[0]}>, (<${addresses[1]}>) or \\*\\*<${addresses[2]}>\\_\\*\\*.`
  t.equal(writeText('mattermost', sentence), bracketed)
  t.equal(JSON.parse(writeChatBody('discord', sentence)).content, bracketed)
  const [first, second, third] = addresses
  t.equal(
    writeText('rocketchat', sentence),
    `see <${first?.replace('(c)', '%28c%29')}|${first}>, (<${second}|${second}>) or ` +
      `\\*\\*<${third}|${third}>\\_\\*\\*.`,
  )
  for (const service of ['slack', 'teams', 'googlechat', 'dingtalk', 'feishu', 'wecom'] as const) {
    t.match(writeChatBody(service, sentence), 'https://x.org/my_group/~bob/a*b(c)?d=_e_#f_g', service)
  }
})

t.test('an address in Mattermost mentions nobody, because the server looks into addresses', async (t) => {
  t.equal(writeText('mattermost', 'https://x.org/@all'), '<https://x.org/%40all>')
})

t.test('an address is sent to Discord whole or not at all', async (t) => {
  const writeContent = (line: string): string => JSON.parse(writeChatBody('discord', line)).content
  t.equal(writeContent(`${'x'.repeat(1_990)} https://x.org/a_b`), `${'x'.repeat(1_990)} `)
})

t.test('Discord is asked to confirm the message', async (t) => {
  const url = new URL('https://discord.com/api/webhooks/1/token?thread_id=2&wait=false')
  t.equal(addressChat('discord', url).href, 'https://discord.com/api/webhooks/1/token?thread_id=2&wait=true')
  t.equal(addressChat('slack', url).href, url.href)
  t.equal(url.searchParams.get('wait'), 'false', 'the URL that was given stays as it is')
})

t.test("Discord's address for Slack's body is replaced by the one for its own", async (t) => {
  const url = new URL('https://discord.com/api/webhooks/1/token/slack')
  t.equal(detectChatService(url), 'discord')
  t.equal(addressChat('discord', url).href, 'https://discord.com/api/webhooks/1/token?wait=true')
  t.equal(addressChat('slack', url).href, url.href, 'the service that was chosen counts')
})

t.test('the service follows from the host', async (t) => {
  const services = {
    'https://hooks.slack.com/services/T0/B0/x': 'slack',
    'https://hooks.slack-gov.com/services/T0/B0/x': 'slack',
    'https://discord.com/api/webhooks/1/x': 'discord',
    'https://discordapp.com/api/webhooks/1/x': 'discord',
    'https://ptb.discord.com/api/webhooks/1/x': 'discord',
    'https://acme.webhook.office.com/webhookb2/x': 'teams',
    'https://outlook.office.com/webhook/x': 'teams',
    'https://prod-1.westeurope.logic.azure.com:443/workflows/x': 'teams',
    'https://default1.2.environment.api.powerplatform.com/powerautomate/x': 'teams',
    'https://prod-1.usgovvirginia.logic.azure.us:443/workflows/x': 'teams',
    'https://prod-1.chinaeast2.logic.azure.cn:443/workflows/x': 'teams',
    'https://default1.2.environment.api.gov.powerplatform.microsoft.us/powerautomate/x': 'teams',
    'https://default1.2.environment.api.high.powerplatform.microsoft.us/powerautomate/x': 'teams',
    'https://default1.2.environment.api.appsplatform.us/powerautomate/x': 'teams',
    'https://default1.2.environment.api.powerplatform.partner.microsoftonline.cn/powerautomate/x': 'teams',
    'https://acme.cloud.mattermost.com/hooks/x': 'mattermost',
    'https://chat.googleapis.com/v1/spaces/A/messages?key=k': 'googlechat',
    'https://acme.rocket.chat/hooks/1/x': 'rocketchat',
    'https://oapi.dingtalk.com/robot/send?access_token=x': 'dingtalk',
    'https://oapi.dingtalk.io/robot/send?access_token=x': 'dingtalk',
    'https://open.feishu.cn/open-apis/bot/v2/hook/x': 'feishu',
    'https://open.larksuite.com/open-apis/bot/v2/hook/x': 'feishu',
    'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=x': 'wecom',
  }
  for (const [url, service] of Object.entries(services)) t.equal(detectChatService(new URL(url)), service, url)
  const others = [
    'https://chat.example.org/hooks/x',
    'https://evil-discord.com',
    'https://discord.com.evil.example',
    'https://slack.com',
    'https://googleapis.com',
    'https://rocket.chat',
    'https://evil-appsplatform.us',
    'https://weixin.qq.com',
  ]
  for (const url of others) t.equal(detectChatService(new URL(url)), undefined, url)
})
