// docs/using/agents.md lists the tools that there are, and its session is what an agent is answered.
import { readFile } from 'node:fs/promises'
import { t } from 'tap'
import { tools } from '../../../server/metadata/agents/tools.ts'
import { connectAgent } from '../../server/metadata/agents/connect-agents.ts'
import { startServer } from '../../server/start-server.ts'

const page = await readFile(new URL('../../../docs/using/agents.md', import.meta.url), 'utf8')

t.test('the page lists every tool', async (t) => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `') && line.includes('| `/'))
  const listed = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name))
  t.strictSame(new Set(listed), new Set(tools.keys()))
})

t.test('the session happens as the page says', async (t) => {
  const [, session = ''] = /^## A session\n[^]*?```\n([^]*?)```/m.exec(page) ?? []
  const exchanges = session.trim().split('\n\n')
  t.ok(exchanges.length > 4)
  const server = await startServer(t)
  const agent = await connectAgent['versions of 2025'](t, { url: `${server.publicMeta}/mcp`, headers: {} })
  for (const exchange of exchanges) {
    const [question = '', ...lines] = exchange.split('\n')
    const [, name = '', given = ''] = /^(\w+) (\{.*\})$/.exec(question) ?? []
    const { content } = await agent.call(name, JSON.parse(given))
    const answered = content.flatMap(({ text }) => text.split('\n'))
    t.equal(answered.length, lines.length, question)
    for (const [index, line] of lines.entries()) {
      const shown = line.trim()
      if (shown.endsWith(' ...')) t.ok(answered[index]?.startsWith(shown.slice(0, -4)), shown)
      else t.equal(answered[index], shown)
    }
  }
})
