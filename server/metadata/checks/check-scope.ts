// The Fastify scope in which pipelines post checks of snapshots: authentication, rate limits, checks of origins and
// bodies, and the routes.
import { type CheckResult as PostedResult, contract } from '@floe/contract'
import { type CheckedSnapshot, type CheckResult, listChecks, postChecks } from '@floe/storage/database'
import { RefNotFoundError, type Repository } from '@floe/storage/icechunk'
import type { FastifyBaseLogger, FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import { makeReadingSignal } from '../../catalog/reading-signals.ts'
import { makeRefProblem } from '../../catalog/ref-problem.ts'
import { findServedEntry, type ServedNames } from '../../catalog/served-catalog.ts'
import { admitCheckers, type ReaderAccess, requireCaller } from '../../http/access/access-hook.ts'
import { makeRateLimits } from '../../http/access/rate-limits.ts'
import { implementJson, register } from '../../http/contract.ts'
import { refuseCrossSite } from '../../http/access/refuse-cross-site.ts'
import { takeJsonBodies } from '../../http/take-json-bodies.ts'
import { logAudit } from '../../observation/log-audit.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { describeCheck } from './describe-check.ts'
import { showCheck } from './list-route.ts'

type CheckParts = {
  readonly context: MetadataContext
  readonly access: Omit<ReaderAccess, 'limit'>
  /** Public address of the service, ending in `/v1`; null means the host that each request names. */
  readonly baseUrl: string | null
  readonly log: FastifyBaseLogger
  /** Gets a signal when events were recorded, and judges again which heads are good. */
  readonly notifier: {
    readonly signal: (what: 'deliveries') => unknown
    readonly watcher: { readonly noteRemark: (entry: CatalogEntry) => void }
  }
  /** Requests that a caller may send in a minute; default 3,000. */
  readonly requestsPerMinute: number | undefined
}

const { post, postAll } = contract.checks

export function makeCheckScope(parts: CheckParts): FastifyPluginAsync {
  const { context, access, requestsPerMinute } = parts
  const limit = makeRateLimits(context.timing.elapsed, requestsPerMinute).ofCaller
  return async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    scope.addHook('onRequest', admitCheckers({ ...access, limit }))
    scope.addHook('onRequest', refuseCrossSite(parts.baseUrl))
    takeJsonBodies(scope)
    const checks = { post, postAll }
    await register(scope, { checks }, { checks: makePostRoutes(parts) })
  }
}

type SnapshotNames = ServedNames & { readonly ref: string }

function makePostRoutes({ context, log, notifier }: CheckParts) {
  // Changes are logged even if the log has only warnings.
  const auditLog = log.child({}, { level: 'info' })
  /** Records checks, and returns all checks of the snapshot. */
  const record = async (names: SnapshotNames, results: readonly CheckResult[], request: FastifyRequest) => {
    const options = { by: requireCaller(request), now: new Date(context.timing.now()) }
    const { entry, ...snapshot } = await findSnapshot(context, names)
    const { audit, hasEvents, mayMoveGood } = await postChecks(context.db, snapshot, results, describeCheck, options)
    for (const posted of audit) logAudit(auditLog, posted)
    if (hasEvents) notifier.signal('deliveries')
    if (mayMoveGood) notifier.watcher.noteRemark(entry)
    return listChecks(context.db, { org: names.org, repo: names.repo, snapshotId: snapshot.snapshotId })
  }
  return implementJson(
    { post, postAll },
    {
      post: async ({ params, body, request }) => {
        const checks = await record(params, [readResult({ ...body, name: params.name })], request)
        const posted = checks.find(({ name }) => name === params.name)
        // Another caller may have posted the newest checks of 10,000 other snapshots meanwhile.
        if (posted === undefined) throw new RequestProblem('unavailable', 'The check is older than those that are kept')
        return showCheck(posted)
      },
      postAll: async ({ params, body, request }) => {
        const checks = await record(params, body.checks.map(readResult), request)
        return { items: checks.map(showCheck) }
      },
    },
  )
}

function readResult(posted: PostedResult & { readonly name: string }): CheckResult {
  const { name, state, text = null, link = null, figures = {} } = posted
  return { name, state, text, link, figures }
}

type FoundSnapshot = CheckedSnapshot & { readonly entry: CatalogEntry }

/**
 * Finds a snapshot, and the branches whose head it is. Reads the repository again, because a pipeline posts the first
 * checks right after its commit.
 *
 * @throws RequestProblem `repository-not-found` or `ref-not-found`
 */
async function findSnapshot(context: MetadataContext, names: SnapshotNames): Promise<FoundSnapshot> {
  const entry = await findServedEntry(context, names)
  const { repository } = entry
  const resolved = await context.cachedRefs.resolveAgain(repository, names.ref).catch((error: unknown) => {
    throw error instanceof RefNotFoundError ? makeRefProblem(names.repo, error) : error
  })
  if (resolved.kind !== 'snapshot')
    throw new RequestProblem('ref-not-found', `${names.repo} has no snapshot ${names.ref}, but a ${resolved.kind}`)
  const heads = await readBranches(context, repository)
  const branches = [...heads].flatMap(([branch, id]) => (id === resolved.snapshotId ? [branch] : []))
  const { id, org, name } = entry
  return { entry, repository: { id, org, name }, snapshotId: resolved.snapshotId, branches }
}

/** Reads the heads of all branches. In version 1 each costs a read, so they may be some seconds old. */
async function readBranches({ cachedRefs }: MetadataContext, repository: Repository) {
  const state = repository.lastState ?? (await repository.readState(makeReadingSignal()))
  const refs = await (state.formatVersion === 2 ? state.readRefs(makeReadingSignal()) : cachedRefs.readRefs(repository))
  return refs.branches
}
