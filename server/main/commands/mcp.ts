// `floe mcp`: answers an agent about a location over standard input and output, without server, database or keys.
import { Catalog } from '../../catalog/catalog.ts'
import { openSource, type RepositorySource } from '../../catalog/open-sources.ts'
import { RepositoryReading } from '../../catalog/reading.ts'
import { ServedCatalogs } from '../../catalog/served-catalog.ts'
import { createMetrics } from '../../http/observation/metrics.ts'
import { StateLog } from '../../http/observation/state-log.ts'
import { usePlainMessages } from '../../http/problems/plain-messages.ts'
import { makeMcpServer } from '../../metadata/agents/protocol.ts'
import { serveOverStdio } from '../../metadata/agents/serve-over-stdio.ts'
import { CommitCache } from '../../metadata/history/commit-cache.ts'
import type { MetadataContext } from '../../metadata/metadata-context.ts'
import { makeAgentRouters } from '../../metadata/metadata-scope.ts'
import { makePublicAddress } from '../../pages/public-address.ts'
import { openReading } from '../../reading/open-reading.ts'
import { systemTiming } from '../../timing.ts'
import { type Limits, makeReaderLimits } from '../configuration/limits.ts'
import { loadConfig } from '../configuration/load-config.ts'
import type { CommandLine } from './command.ts'
import type { Terminal } from './terminal.ts'
import { describeSource, readAccess } from './location-access.ts'

/** Deployment and organisation of the location in routes. */
const local = { deployment: 'local', org: 'local' } as const

/** Memory for snapshots, answers and commits, in bytes. */
const maxBytes = 256_000_000

/** How long the snapshot of a ref is cached, in milliseconds. */
const refMaxAgeMs = 1_000

/** `floe mcp LOCATION`; resolves when the agent closes standard input or the process must stop. */
export async function mcp({ values, operands: [location = ''] }: CommandLine, terminal: Terminal): Promise<void> {
  usePlainMessages()
  const { stop } = terminal
  // Standard output is for the protocol.
  const warn = (error: unknown) => terminal.err(`floe: ${error instanceof Error ? error.message : String(error)}\n`)
  const { limits } = await loadConfig(values.config, terminal.environment, {})
  const source = await describeSource(location, readAccess(values), stop)
  const { routers, close } = await openLocalMetadata(source, limits, warn)
  try {
    const findCaller = (signal: AbortSignal) => ({ ...local, apiKey: null, signal })
    const parts = { routers, onFault: warn }
    await serveOverStdio({ ...terminal.openStreams(), stop, onError: warn }, () => makeMcpServer(parts, findCaller))
  } finally {
    await close()
  }
}

/** Opens the metadata of a location. `onFailure` is called when the location cannot be searched. */
async function openLocalMetadata(source: RepositorySource, limits: Limits, onFailure: (error: unknown) => void) {
  const readerLimits = makeReaderLimits(limits)
  const opened = await openSource(source)
  const catalog = new Catalog(local.org, [opened], {
    // Only receivers and events need ids.
    ensureIds: async () => new Map(),
    timing: systemTiming,
    limits: readerLimits,
    scanLimits: limits,
    states: new StateLog(systemTiming.elapsed, { error: ({ err }) => onFailure(err), warn: () => {}, info: () => {} }),
  })
  const metrics = createMetrics()
  const shared = { maxBytes, timing: systemTiming, metrics }
  const { readers, cache, answers } = openReading({ ...shared, threads: 1, readerLimits })
  const { v1, assetsRoot, buildLinks } = makePublicAddress(null)
  const context: MetadataContext = {
    catalogs: new ServedCatalogs(
      [{ name: local.deployment, org: local.org, public: true, repos: ['**'] }],
      new Map([[local.org, catalog]]),
    ),
    reading: new RepositoryReading({ refMaxAgeMs, elapsed: systemTiming.elapsed }),
    answers,
    cache,
    commitCache: new CommitCache({ maxBytes, elapsed: systemTiming.elapsed, metrics }),
    timing: systemTiming,
    v1,
    assetsRoot,
    buildLinks,
    // An index needs a database.
    search: { enabled: false, branches: [] },
    // Only pages need these two, and agents get JSON.
    baseUrl: () => v1,
    get db(): never {
      throw new TypeError('there is no database')
    },
  }
  return {
    routers: makeAgentRouters(context),
    close: async () => {
      catalog.close()
      await readers.close()
    },
  }
}
