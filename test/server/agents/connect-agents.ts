// Agents of the official SDK: the client that most programs have today, and the one that speaks the version of 2026.
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Test } from 'tap'
import { z } from 'zod'

/** What a tool answers. */
const Answer = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  isError: z.boolean().optional(),
})
export type Answer = z.infer<typeof Answer>

/** A tool as it is listed. */
const ListedTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.object({
    properties: z.record(z.string(), z.record(z.string(), z.unknown())),
    required: z.array(z.string()).optional(),
  }),
  annotations: z.object({ readOnlyHint: z.boolean() }),
})
type ListedTool = z.infer<typeof ListedTool>

/** An agent that is connected. */
export type Agent = {
  readonly listTools: () => Promise<readonly ListedTool[]>
  readonly call: (name: string, given?: Record<string, unknown>, signal?: AbortSignal) => Promise<Answer>
  readonly instructions: string | undefined
  readonly close: () => Promise<void>
}

/** Where an agent connects to: an address, or a program that it starts. */
export type Place =
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string>; readonly cwd: string }

const about = { name: 'a test', version: '1.0.0' }

/** Connects an agent, by the generation of its SDK. */
export const connectAgent = {
  'SDK 1, versions of 2025': async (t: Test, place: Place): Promise<Agent> => {
    const client = new OldClient(about)
    await client.connect(
      'url' in place
        ? new OldHttp(new URL(place.url), { requestInit: { headers: { ...place.headers } } })
        : new OldStdio({ ...place, stderr: 'pipe' }),
    )
    t.teardown(() => client.close())
    return {
      listTools: async () => z.array(ListedTool).parse((await client.listTools()).tools),
      call: async (name, given, signal) =>
        Answer.parse(await client.callTool({ name, arguments: given }, undefined, { ...(signal && { signal }) })),
      instructions: client.getInstructions(),
      close: () => client.close(),
    }
  },
  'SDK 2, version of 2026': async (t: Test, place: Place): Promise<Agent> => {
    const client = new NewClient(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await client.connect(
      'url' in place
        ? new NewHttp(new URL(place.url), { requestInit: { headers: { ...place.headers } } })
        : new NewStdio({ ...place, stderr: 'pipe' }),
    )
    t.teardown(() => client.close())
    return {
      listTools: async () => z.array(ListedTool).parse((await client.listTools()).tools),
      call: async (name, given, signal) =>
        Answer.parse(await client.callTool({ name, arguments: given ?? {} }, { ...(signal && { signal }) })),
      instructions: client.getInstructions(),
      close: () => client.close(),
    }
  },
} as const

/** The JSON of an answer. */
export function readJson({ content: [first] }: Answer): unknown {
  return JSON.parse(first?.text ?? '')
}

/** What an answer says besides. */
export function readNote({ content: [, second] }: Answer): string {
  return second?.text ?? ''
}
