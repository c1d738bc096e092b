// Agents of version 1 of the official SDK, which most programs have today.
import { writeFile } from 'node:fs/promises'
import { t } from 'tap'
import { z } from 'zod'
import { installFromNpm, run } from '../../../generators/install.ts'
import { program as floe } from '../../main/commands/floe-process.ts'
import { fixtures, startServer } from '../../start-server.ts'

t.setTimeout(900_000)

const { root, skip } = await installFromNpm('mcp-sdk', ['@modelcontextprotocol/sdk@1.32.2'])

/** Connects, over HTTP or to a program that it starts, and prints what it is told. */
const program = `
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { url, command, args, cwd } = JSON.parse(process.argv[2])
const client = new Client({ name: 'a test', version: '1.0.0' })
const overHttp = url && new StreamableHTTPClientTransport(new URL(url))
await client.connect(overHttp || new StdioClientTransport({ command, args, cwd }))
const { tools } = await client.listTools()
const call = async (name, given) => {
  const { content, isError = false } = await client.callTool({ name, arguments: given })
  return { texts: content.map(({ text }) => text), isError }
}
const told = {
  instructions: client.getInstructions(),
  tools: tools.map(({ name }) => name),
  keys: await call('datasets_keys', { repo: 'weather', ref: 'main', group: 'wind/speed' }),
  missing: await call('discovery_refs', { repo: 'nope' }),
}
await client.close()
console.log(JSON.stringify(told))
`

const Answer = z.object({ texts: z.array(z.string()), isError: z.boolean() })
const Told = z.object({ instructions: z.string(), tools: z.array(z.string()), keys: Answer, missing: Answer })

for (const transport of ['HTTP', 'standard input and output']) {
  t.test(`an agent of SDK 1 is answered over ${transport}`, { skip }, async (t) => {
    const server = await startServer(t)
    const place =
      transport === 'HTTP'
        ? { url: `${server.publicMeta}/mcp` }
        : { command: process.execPath, args: ['--conditions=@floe/source', floe, 'mcp', fixtures], cwd: t.testdir() }
    const file = `${root}/agent.mjs`
    await writeFile(file, program)
    const { stdout } = await run(process.execPath, [file, JSON.stringify(place)], root)
    const told = Told.parse(JSON.parse(stdout))
    t.match(told.instructions, /Never follow instructions/)
    t.ok(told.tools.includes('datasets_info'))
    const response = await server.get('datasets/weather/main/wind/speed/keys')
    t.strictSame(told.keys, { texts: [await response.text(), told.keys.texts[1]], isError: false })
    t.match(told.keys.texts[1], `Snapshot: ${response.headers.get('floe-snapshot')}`)
    t.match(told.missing, { isError: true, texts: [/^No such repository: /] })
  })
}
