// Agents of the official SDK. It speaks the version of 2026, and those of 2025 that most programs have today.
// `sdk-1.long.test.ts` has agents of the SDK's first version.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
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
type Place =
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string>; readonly cwd: string }

function makeConnect(mode: 'legacy' | { readonly pin: string }) {
  return async (t: Test, place: Place): Promise<Agent> => {
    const client = new Client({ name: 'a test', version: '1.0.0' }, { versionNegotiation: { mode } })
    await client.connect(
      'url' in place
        ? new StreamableHTTPClientTransport(new URL(place.url), { requestInit: { headers: { ...place.headers } } })
        : new StdioClientTransport({ ...place, stderr: 'pipe' }),
    )
    t.teardown(() => client.close())
    return {
      listTools: async () => z.array(ListedTool).parse((await client.listTools()).tools),
      call: async (name, given, signal) =>
        Answer.parse(await client.callTool({ name, arguments: given ?? {} }, { ...(signal && { signal }) })),
      instructions: client.getInstructions(),
      close: () => client.close(),
    }
  }
}

/** Connects an agent, by the version of the protocol that it speaks. */
export const connectAgent = {
  'versions of 2025': makeConnect('legacy'),
  'version of 2026': makeConnect({ pin: '2026-07-28' }),
} as const

/** The JSON of an answer. */
export function readJson({ content: [first] }: Answer): unknown {
  return JSON.parse(first?.text ?? '')
}

/** What an answer says besides. */
export function readNote({ content: [, second] }: Answer): string {
  return second?.text ?? ''
}
