// What the parsers of chat services make of the lines that Floe sends: the text as it was, its addresses as links, and
// nothing else.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import fc from 'fast-check'
import { t } from 'tap'
import { writeChatBody } from '../../../../server/notifications/deliver/chat-services.ts'
import { checkProperty } from '../../../check-property.ts'
import { installFromNpm } from '../../../generators/install.ts'

// Mattermost's own parser is a branch of marked, and Discord's is not published.
const packages = ['marked@18.2.1', 'discord-markdown-parser@1.3.1', '@rocket.chat/message-parser@0.32.0']
const { root, skip } = await installFromNpm('chat-parsers', packages)
const load = createRequire(join(root, 'index.js'))

/** What a reader sees, and where the links lead. */
type Reading = { text: string; links: string[] }

type MarkedToken = { readonly type: string; readonly text: string; readonly href?: string; tokens?: MarkedToken[] }
type DiscordNode = {
  readonly type: string
  readonly content: string | readonly [{ readonly content: string }]
  readonly target?: string
}
type RocketChatNode = { readonly type: string; readonly value: string | readonly RocketChatNode[] | RocketChatLink }
type RocketChatLink = {
  readonly src: { readonly value: string }
  readonly label: readonly { readonly value: string }[]
}

const readers = {
  mattermost: ({ text }: { text: string }) => read<MarkedToken>(load('marked').lexer(text), readMattermost),
  discord: ({ content }: { content: string }) =>
    read<DiscordNode>(load('discord-markdown-parser').parse(content, 'extended'), readDiscord),
  rocketchat: ({ text }: { text: string }) =>
    read<RocketChatNode>(load('@rocket.chat/message-parser').parse(text), readRocketChat),
}

function read<Node>(nodes: readonly Node[], add: (node: Node, reading: Reading) => void): Reading {
  const reading = { text: '', links: [] }
  for (const node of nodes) add(node, reading)
  return { ...reading, text: reading.text.replaceAll('\u200b', '') }
}

function readMattermost({ type, text, href, tokens = [] }: MarkedToken, reading: Reading): void {
  if (type === 'paragraph') for (const inner of tokens) readMattermost(inner, reading)
  else if (type === 'link' && text === href) addLink(reading, text, href)
  // Mattermost shows HTML as it is written.
  else if (['text', 'escape', 'html'].includes(type)) reading.text += text
  else throw new Error(`markup: ${type} ${text}`)
}

function readDiscord({ type, content, target = '' }: DiscordNode, reading: Reading): void {
  if (type === 'autolink' && typeof content === 'object') addLink(reading, content[0].content, target)
  // The body says that they notify nobody.
  else if (type === 'everyone' || type === 'here') reading.text += `@${type}`
  else if (type === 'text' && typeof content === 'string') reading.text += content
  else throw new Error(`markup: ${type}`)
}

function readRocketChat({ type, value }: RocketChatNode, reading: Reading): void {
  if (typeof value === 'string' && type === 'PLAIN_TEXT') reading.text += value
  else if (typeof value === 'object' && 'src' in value) addLink(reading, String(value.label[0]?.value), value.src.value)
  else if (typeof value === 'object' && type === 'PARAGRAPH') for (const inner of value) readRocketChat(inner, reading)
  else throw new Error(`markup: ${type}`)
}

function addLink(reading: Reading, text: string, target: string): void {
  reading.text += text
  reading.links.push(target)
}

const head = 'acme/weather branch main is now at P874YS3J196959RDHX7G: '

for (const service of ['mattermost', 'discord', 'rocketchat'] as const) {
  const readLine = (line: string) => readers[service](JSON.parse(writeChatBody(service, [{ text: line }])))
  t.test(`${service} shows addresses as links to themselves`, { skip }, async (t) => {
    const addresses = [
      'https://x/my_group',
      'https://data.example.org/my_group/_private_/~bob/a*b*c',
      'https://10.0.0.1:8080/a_b?x=_1_&y=~z~#c_d',
      'http://localhost/__init__.py',
      'https://en.wikipedia.org/wiki/Zarr_data_format',
      'https://de.wikipedia.org/wiki/Föhn_über_den_Alpen',
    ]
    for (const one of addresses) {
      for (const [before, after] of [
        ['see ', ' now'],
        ['(', ')'],
        ['**', '**, '],
        ['_', '_'],
        ['"', '".'],
      ]) {
        const line = `${head}${before}${one}${after}`
        t.strictSame(readLine(line), { text: line, links: [one] }, line)
      }
    }
    t.strictSame(readLine(`${head}<https://x.org/a_b>`), {
      text: `${head}https://x.org/a_b`,
      links: ['https://x.org/a_b'],
    })
    const inParentheses = 'https://en.wikipedia.org/wiki/Grid_(cell)'
    const { text, links } = readLine(`${head}(${inParentheses})`)
    t.equal(text, `${head}(${inParentheses})`)
    t.equal(decodeURIComponent(String(links)), inParentheses)
  })

  t.test(`${service} shows any line as it is, without markup and mentions`, { skip }, async () => {
    const addresses = [' https://x.org/', ' https://x/_a_', ' http://y.org', '](https://evil.org)']
    const mentions = ['@all', '@everyone', '#general', '<@123>', '<!here>', '<t:1630360800:R>']
    const marks = ['*', '**', '_', '__', '~', '~~', '`', '||', '[', '](', ')', '(', '!', '<', '>', '|', '\\']
    const others = [' ', 'a', 'b', '-', ',', "'", '"', '/', '?', '=', '%20']
    // Rocket.Chat takes what follows a dot for a part of the same host name, up to the next space, and shows escapes.
    if (service !== 'rocketchat') others.push('.')
    const fragments = [...addresses, ...mentions, ...marks, ...others]
    const lines = fc.array(fc.constantFrom(...fragments), { maxLength: 24 }).map((parts) => head + parts.join(''))
    const check = (line: string) => {
      const { text, links } = readLine(line)
      if (text.replaceAll('%40', '@') !== line) throw new Error(`reads ${text}`)
      const foreign = links.filter(
        (link) => !line.includes(link.replaceAll('%40', '@').replaceAll('%28', '(').replaceAll('%29', ')')),
      )
      if (foreign.length > 0) throw new Error(`links to ${String(foreign)}`)
    }
    await checkProperty(10_000, fc.property(lines, check))
  })
}
