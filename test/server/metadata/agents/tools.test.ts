// The tools as they are listed, which agents pay for in every conversation.
import { t } from 'tap'
import { basic, startServer } from '../../start-server.ts'
import { connectAgent } from './connect-agents.ts'

/**
 * Bytes of a token. In the list, a token has 4.25 bytes or more with three tokenizers: `o200k_base`, `cl100k_base`, and
 * that of `@anthropic-ai/tokenizer`.
 */
const bytesPerToken = 4.2

const server = await startServer(t, { hasSearch: true })
const headers = { authorization: basic('acme', server.apiKey), 'content-type': 'application/json' }

// Proves: the list of tools takes at most 2,600 tokens
t.test('the list takes at most 2,600 tokens', async (t) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const response = await fetch(`${server.meta}/mcp`, { method: 'POST', headers, body })
  const bytes = (await response.bytes()).length
  t.ok(bytes <= 2_600 * bytesPerToken, `${bytes} bytes`)
})

t.test('search comes first, if there is an index', async (t) => {
  const listed = async ({ meta }: Pick<typeof server, 'meta'>) => {
    const agent = await connectAgent['versions of 2025'](t, { url: `${meta}/mcp`, headers })
    const [first] = await agent.listTools()
    return { first: first?.name, begin: /Begin with (\w+)/.exec(agent.instructions ?? '')?.[1] }
  }
  t.strictSame(await listed(server), { first: 'search', begin: 'search' })
  const unindexed = await startServer(t, { hasSearch: false })
  t.strictSame(await listed({ meta: unindexed.publicMeta }), {
    first: 'discovery_repositories',
    begin: 'discovery_repositories',
  })
})

t.test('arguments have types and texts that every agent understands', async (t) => {
  const agent = await connectAgent['versions of 2025'](t, { url: `${server.meta}/mcp`, headers })
  for (const { name, title, description, inputSchema } of await agent.listTools()) {
    t.notMatch(JSON.stringify(inputSchema), /\$ref|anyOf|%2F/, name)
    t.notOk(description.startsWith(title), `${name}: the title is not repeated`)
    for (const [argument, schema] of Object.entries(inputSchema.properties)) {
      t.match(schema, { type: /^(string|integer|array)$/ }, `${name} ${argument}`)
    }
  }
  t.strictSame((await agent.call('search', { variable: 'wind_speed' })).isError, undefined, 'one value needs no list')
})
