// The operations log in the form of the contract, and as a page.
import type { Operation as OperationAnswer, OperationsPage, RepositorySummary } from '@floe/contract'
import type { Operation, OperationsCursor, Repository, RepositoryState, RepositoryStatus } from '@floe/storage/icechunk'
import { operationsPage } from '../../pages/browse/operations-page.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { showDeployment } from '../show-service.ts'
import type { ServedNames } from '../../catalog/served-catalog.ts'

/** The answer for a repository of version 1, which has no log. */
const noOperations: OperationsPage = {
  operations: [],
  next: null,
  is_cut_off: false,
  operations_unavailable_reason: 'repo_format_v1',
}

/** Reads a part of the log. */
export async function readOperations(
  repository: Repository,
  state: RepositoryState,
  part: Parameters<Repository['readOperations']>[1],
): Promise<OperationsPage> {
  if (state.formatVersion === 1) return noOperations
  const { operations, next, isCutOff } = await repository.readOperations(state, part)
  return {
    operations: operations.map(toOperation),
    next: next && formatCursor(next),
    is_cut_off: isCutOff,
    operations_unavailable_reason: null,
  }
}

/** Builds the page of a part of the log as an HTML document. */
export function buildOperationsPage(
  context: MetadataContext,
  address: ServedNames,
  page: OperationsPage,
  isNewest: boolean,
): string {
  const data = { deployment: showDeployment(context, address), repository: address.repo, page, isNewest }
  return operationsPage(data, context.buildLinks(address.deployment, address.org))
}

/** Parses the text of {@link formatCursor}, whose form the contract has checked. */
export function parseCursor(text: string | undefined): OperationsCursor | undefined {
  if (text === undefined) return undefined
  const [time = '', copy = null] = text.split('@')
  return { time: BigInt(time), copy }
}

function formatCursor({ time, copy }: OperationsCursor): string {
  return copy === null ? String(time) : `${time}@${copy}`
}

function toOperation(operation: Operation): OperationAnswer {
  const { kind, time, branch, tag, snapshotId, previousSnapshotId, authorId, featureFlag, status, migration } =
    operation
  return {
    kind,
    done_at: new Date(Number(time / 1000n)).toISOString(),
    branch,
    tag,
    snapshot_id: snapshotId,
    previous_snapshot_id: previousSnapshotId,
    author_id: authorId,
    feature_flag: featureFlag && { id: featureFlag.id, enabled: featureFlag.isEnabled },
    status: status && toStatus(status),
    migration,
  }
}

/** Converts the status of a repository. */
export function toStatus({ availability, since, reason }: RepositoryStatus): RepositorySummary['status'] {
  return { availability, since: since.toISOString(), reason }
}
