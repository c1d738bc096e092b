// @floe/contract: everything that crosses the wire between Floe and the world.
import { c } from './dsl.ts'
import { datasets } from './routes/datasets.ts'
import { discovery } from './routes/discovery.ts'
import { documents } from './routes/documents.ts'

/** All routes of the service. */
export const contract = c.router({ discovery, datasets, documents })

export type { RouteMetadata } from './dsl.ts'
export { type JsonSchema } from './json-schema.ts'
export { notificationJsonSchema } from './notification-schema.ts'
export { openApiDocument, routesOf, type OpenApiDocument, type OpenApiOptions } from './openapi.ts'
export { problemDefinitions, problemType, type ProblemCode, type ProblemType } from './problems.ts'
export { DatasetDict, DatasetInfo, DatasetKeys } from './schemas/dataset.ts'
export { DatasetList, RefList, RepositoryList } from './schemas/discovery.ts'
export { DeploymentName, GroupPath, OrgName, RefName, RepoName, SnapshotId } from './schemas/names.ts'
export {
  CommitsUnavailableReason,
  NewCommit,
  type NewCommitDetails,
  type NotificationCommit,
} from './schemas/notification.ts'
export { Problem, type ProblemError } from './schemas/problem.ts'
