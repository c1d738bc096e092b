// `floe mcp`: answers an agent about a location over standard input and output. Runs the parts of a service without a
// port. The database, which has the index of search, is in memory, so that the agent needs no server and no keys.
import { mapInParallel, waitOrAbort } from '@floe/storage/waiting'
import { z } from 'zod'
import { makeReadingSignal } from '../../catalog/reading-signals.ts'
import { makeMcpServer } from '../../metadata/agents/protocol.ts'
import { serveOverStdio } from '../../metadata/agents/stdio/serve-over-stdio.ts'
import { makeAgentRouters } from '../../metadata/metadata-scope.ts'
import { type OpenedSearch, openSearch } from '../../search/open-search.ts'
import { makePublicAddress } from '../../pages/public-address.ts'
import { usePlainMessages } from '../../problems/plain-messages.ts'
import { toReadingProblem } from '../../problems/reading-problem.ts'
import { systemTiming } from '../../timing.ts'
import { loadConfig } from '../configuration/load-config.ts'
import type { Config } from '../configuration/schema.ts'
import { makeMetadataContext } from '../make-metadata-context.ts'
import { openParts, type Parts } from '../parts.ts'
import type { CommandLine } from './command.ts'
import { describeSource, readAccess } from './access/location-access.ts'
import { escapeControls, type Terminal } from './terminal.ts'

/** The names that stand for the deployment and the organisation. */
const local = { deployment: 'local', org: 'local' } as const

/**
 * Longest wait for the first heads, in milliseconds. A search counts a repository only when its head is recorded, and
 * agents begin with a search.
 */
const firstHeadsMs = 5_000

/** Longest wait of a search for the index of the first heads, in milliseconds. */
const firstIndexMs = 5_000

/** Maximum number of repositories whose first heads are read at the same time. */
const maxChecks = 16

/** `floe mcp LOCATION`; resolves when the agent closes standard input or the process must stop. */
export async function mcp(line: CommandLine, terminal: Terminal): Promise<void> {
  usePlainMessages()
  const { stop } = terminal
  const config = await readConfig(line, terminal)
  const parts = await openParts(config, systemTiming, {}, formatLine)
  const service = openService(parts, config)
  try {
    await service.start(stop)
    // Not to standard output, which is for the protocol.
    const onError = (error: unknown) => parts.faults.note(error, 'a message could not be answered')
    const findCaller = (signal: AbortSignal) => ({ ...local, caller: null, ip: '127.0.0.1', signal })
    const answering = { routers: service.routers, faults: parts.faults }
    await serveOverStdio({ ...terminal.openStreams(), stop, onError }, () => makeMcpServer(answering, findCaller))
  } finally {
    await service.stop()
  }
}

/** Of the configuration, only the limits and the settings of search concern an agent's own process. */
async function readConfig({ values, operands: [location = ''] }: CommandLine, terminal: Terminal): Promise<Config> {
  const { limits, search } = await loadConfig(values.config, terminal.environment, {})
  const source = await describeSource(location, readAccess(values), terminal.stop)
  const config = await loadConfig(
    undefined,
    {},
    {
      database: 'sqlite::memory:',
      orgs: { [local.org]: { repositories: [source] } },
      deployments: [{ name: local.deployment, org: local.org, public: true }],
      log: { level: 'warn' },
    },
  )
  return { ...config, limits, search }
}

/** The parts of a service as an agent uses them. */
function openService(parts: Parts, config: Config) {
  const { db, catalogs, notifier, reading } = parts
  const address = makePublicAddress(null)
  const search = openSearch(parts, config.search)
  const context = makeMetadataContext({ ...parts, search: waitForIndex(search) }, config, {
    ...address,
    baseUrl: () => address.v1,
  })
  return {
    routers: makeAgentRouters(context),
    start: async (stop: AbortSignal) => {
      await notifier.start()
      if (search.enabled) await recordFirstHeads(parts, stop)
      search.start()
    },
    stop: async () => {
      await Promise.all([notifier.stop(), search.stop()])
      catalogs.close()
      await reading.readers.close()
      await db.destroy()
    },
  }
}

/** Records the heads of all repositories, as far as that is possible within {@link firstHeadsMs}. */
async function recordFirstHeads({ catalogs, notifier: { watcher }, faults }: Parts, stop: AbortSignal): Promise<void> {
  const catalog = catalogs.byOrg.get(local.org)
  const limited = AbortSignal.any([stop, AbortSignal.timeout(firstHeadsMs)])
  // The watcher logs what cannot be read, and tries it again. It also checks those that are late.
  const noteFault = (error: unknown) => {
    if (limited.aborted || toReadingProblem(error) !== undefined) return
    faults.note(error, 'a repository could not be checked')
  }
  const check = async (name: string) => {
    if (limited.aborted) return
    const entry = await catalog?.findEntry(name, makeReadingSignal)
    if (entry !== undefined) await watcher.check(entry)
  }
  const checkAll = async () => {
    const names = (await catalog?.listNames()) ?? []
    await mapInParallel(names, maxChecks, (name) => check(name).catch(noteFault))
  }
  await waitOrAbort(checkAll(), limited).catch(noteFault)
}

/** Lets searches wait until the index has the first heads. After that time, an answer says that it lacks some. */
function waitForIndex(search: OpenedSearch): OpenedSearch {
  const review = async (org: string) => {
    const limit = AbortSignal.timeout(firstIndexMs)
    await waitOrAbort(search.caughtUp, limit).catch((error: unknown) => {
      if (!limit.aborted) throw error
    })
    await search.review.review(org)
  }
  return { ...search, review: { review } }
}

const LogLine = z.object({
  msg: z.string(),
  repo: z.string().optional(),
  location: z.string().optional(),
  err: z.object({ message: z.string() }).optional(),
})

/** Shows a line of the log as commands show their messages. */
function formatLine(json: string): string {
  const { msg, repo, location, err } = LogLine.parse(JSON.parse(json))
  const texts = [msg, repo ?? location, err?.message].filter((text) => text !== undefined)
  return `floe: ${escapeControls(texts.join(': '))}\n`
}
