// `floe mcp`: answers an agent about a location over standard input and output, without server or database.
import { local, openLocalMetadata } from './open-local-metadata.ts'
import { makeMcpServer } from '../../metadata/agents/protocol.ts'
import { serveOverStdio } from '../../metadata/agents/serve-over-stdio.ts'
import { usePlainMessages } from '../../http/problems/plain-messages.ts'
import { systemTiming } from '../../timing.ts'
import type { CommandLine } from './command.ts'
import { describeSource } from './describe-source.ts'
import type { Terminal } from './terminal.ts'

/** `floe mcp LOCATION`; resolves when the agent has closed standard input, or the process is asked to stop. */
export async function mcp({ operands: [location = ''] }: CommandLine, terminal: Terminal): Promise<void> {
  usePlainMessages()
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
