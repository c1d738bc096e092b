import { contract, maxRemarkedSnapshots, type RemarkChange, type RemarkCreation, responseHeaders } from '@floe/contract'
import {
  addRemark,
  deleteRemark,
  type DescribeRemark,
  explainMissingRemark,
  findRemark,
  listRemarks,
  type NewRemark,
  remarkEvents,
  type RemarkWords,
  updateRemark,
} from '@floe/storage/database'
import { parseSnapshotId, RefNotFoundError, type Repository } from '@floe/storage/icechunk'
import type { CatalogEntry } from '../catalog/catalog-entry.ts'
import { findEntry } from '../catalog/find-repository.ts'
import { makeReadingSignal } from '../catalog/reading-signals.ts'
import { makeRefProblem } from '../catalog/ref-problem.ts'
import { describeEvent } from '../events/describe-event.ts'
import { implementJson } from '../http/contract.ts'
import { parseGroupPath } from '../groups/group-path.ts'
import { logAudit } from '../observation/log-audit.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { explainInvalidRequest } from '../problems/validation-problem.ts'
import { showFacts, showRemark } from '../remarks/show-remark.ts'
import type { AdministrationContext } from './administration-context.ts'
import { locateRecord, readChangeOptions } from './changes.ts'

/** Implements `contract.remarks`. */
export function makeRemarkRoutes(context: AdministrationContext) {
  const { db, auditLog, notifier } = context
  return implementJson(contract.remarks, {
    list: async ({ params }) => {
      const { id } = await findEntry(context, params)
      return { items: (await listRemarks(db, id)).map(showRemark) }
    },
    create: async ({ params, body, request, reply }) => {
      const entry = await findEntry(context, params)
      const added = { kind: body.kind, ...(await readTarget(entry, body)), ...noWords, ...readWords(body) }
      refuseWords(added)
      const options = readChangeOptions(context, request)
      const { remark, audit, mayMoveGood } = await addRemark(db, entry, added, describeRemark, options)
      logAudit(auditLog, audit)
      if (mayMoveGood) notifier.watcher.noteRemark(entry)
      notifier.signal('deliveries')
      reply.header(responseHeaders.location.name, locateRecord(context, params, 'remarks', remark.id))
      return showRemark(remark)
    },
    get: async ({ params }) => {
      const { id } = await findEntry(context, params)
      const remark = await findRemark(db, id, params.id)
      if (remark === undefined) throw explainMissingRemark(params.id)
      return showRemark(remark)
    },
    update: async ({ params, body, request }) => {
      const entry = await findEntry(context, params)
      const before = await findRemark(db, entry.id, params.id)
      if (before === undefined) throw explainMissingRemark(params.id)
      const change = readWords(body)
      refuseWords({ ...before, ...change })
      const { remark, audit } = await updateRemark(db, entry, params.id, change, readChangeOptions(context, request))
      if (audit !== undefined) logAudit(auditLog, audit)
      return showRemark(remark)
    },
    delete: async ({ params, request }) => {
      const entry = await findEntry(context, params)
      const { audit, mayMoveGood } = await deleteRemark(db, entry, params.id, readChangeOptions(context, request))
      logAudit(auditLog, audit)
      if (mayMoveGood) notifier.watcher.noteRemark(entry)
      return undefined
    },
  })
}

const describeRemark: DescribeRemark = (repository, remark) =>
  describeEvent(remarkEvents[remark.kind], repository, { remark_id: remark.id, ...showFacts(remark) })

const noWords = { since: null, until: null, supersededBy: null }

/** Reads what is sent of what a remark says. */
function readWords<Body extends RemarkChange>({ text, since, until, superseded_by: successor }: Body) {
  const readTime = (instant: string | null) => (instant === null ? null : new Date(instant))
  return {
    ...(text !== undefined && { text }),
    ...(since !== undefined && { since: readTime(since) }),
    ...(until !== undefined && { until: readTime(until) }),
    ...(successor !== undefined && { supersededBy: successor && { repo: null, ref: null, link: null, ...successor } }),
  } as Partial<RemarkWords> & (Body extends RemarkCreation ? Pick<RemarkWords, 'text'> : unknown)
}

/** Refuses times that a whole remark cannot have, because a change sends only some of its members. */
function refuseWords({ kind, since, until }: Pick<NewRemark, 'kind' | 'since' | 'until'>): void {
  const refuse = (name: string, message: string) => {
    throw explainInvalidRequest([{ pointer: `/body/${name}`, message }])
  }
  if (kind === 'retraction' && since !== null) refuse('since', 'is only for a note')
  if (kind === 'retraction' && until !== null) refuse('until', 'is only for a note')
  if (since !== null && until !== null && until <= since) refuse('until', 'must be later than `since`')
}

/**
 * Reads what a remark is about, with the snapshots of a range.
 *
 * @throws RequestProblem `ref-not-found`, `invalid-request` for a range that is none or too long
 */
async function readTarget({ repository, name }: CatalogEntry, { snapshot, from, to, ref, path }: RemarkCreation) {
  const group = parseGroupPath(path)
  const about = { ref: ref ?? null, path: group === '' ? null : group }
  const [first, last] = [from ?? snapshot, to ?? snapshot]
  const named = last ?? ref
  if (named !== undefined) {
    const { kind, at } = await repository.resolve(named, makeReadingSignal()).catch((error: unknown) => {
      throw error instanceof RefNotFoundError ? makeRefProblem(name, error) : error
    })
    // The name of a branch can look like an id.
    if ((kind === 'snapshot') !== (last !== undefined) || at !== undefined)
      throw new RequestProblem('ref-not-found', `${name} has no ${last ? 'snapshot' : 'branch or tag'} ${named}`)
  }
  if (first === undefined || last === undefined) return { ...about, range: null, snapshotIds: [] }
  const snapshotIds = first === last ? [first] : await listRange(repository, first, last)
  return { ...about, range: { from: first, to: last }, snapshotIds }
}

/** Lists the snapshots of the history of `last` from `first` on. */
async function listRange(repository: Repository, first: string, last: string): Promise<readonly string[]> {
  const [until, head] = [parseSnapshotId(first), parseSnapshotId(last)]
  if (until === undefined || head === undefined) throw new TypeError('the contract has checked the ids')
  const options = { limit: maxRemarkedSnapshots - 1, until, signal: makeReadingSignal() }
  const { commits, untilFound, next } = await repository.readHistory(head, options)
  if (untilFound === true && next === null) return [first, ...commits.map(({ id }) => id)]
  const most = (maxRemarkedSnapshots - 1).toLocaleString('en')
  const message = `must be an ancestor of ${last}, at most ${most} commits before it`
  throw explainInvalidRequest([{ pointer: '/body/from', message }])
}
