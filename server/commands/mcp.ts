// `floe mcp`: answers an agent about a location over standard input and output, without server or database.
import { parseArgs } from 'node:util'
import { local, openLocalMetadata } from '../agents/open-local-metadata.ts'
import { makeMcpServer } from '../agents/make-mcp-server.ts'
import { serveOverStdio } from '../agents/serve-over-stdio.ts'
import { usePlainMessages } from '../problems/plain-messages.ts'
import { systemTiming } from '../timing.ts'
import { describeSource } from './arguments/describe-source.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** `floe mcp LOCATION`; resolves when the agent has closed standard input, or the process is asked to stop. */
export async function mcp(args: string[], terminal: Terminal): Promise<void> {
  usePlainMessages()
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
  const [location, ...rest] = positionals
  if (location === undefined || rest.length > 0) throw new UsageError('mcp takes one location')
  const { stop } = terminal
  // Standard output belongs to the protocol.
  const warn = (error: unknown) => terminal.err(`floe: ${error instanceof Error ? error.message : String(error)}\n`)
  const { routers, close } = await openLocalMetadata(await describeSource(location, stop), systemTiming, warn)
  try {
    const findCaller = (signal: AbortSignal) => ({ ...local, apiKey: null, signal })
    const parts = { routers, onFault: warn }
    await serveOverStdio({ ...terminal.openStreams(), stop, onError: warn }, () => makeMcpServer(parts, findCaller))
  } finally {
    await close()
  }
}
