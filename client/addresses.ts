// The names in the paths of routes, except those that are options of the client.
import type { NewCommit, NewCommitDetails } from './generated/types.ts'

/** A repository. */
export type RepositoryAddress = { readonly repo: string }

/** A ref of a repository: a snapshot id, else a branch, else a tag. */
export type RefAddress = { readonly repo: string; readonly ref: string }

/** A group at a ref: a snapshot id, else a branch, else a tag. A missing or empty `group` means the root group. */
export type GroupAddress = { readonly repo: string; readonly ref: string; readonly group?: string | undefined }

/** A check of a snapshot, whose id is `ref`. */
export type CheckAddress = { readonly repo: string; readonly ref: string; readonly name: string }

/** Two snapshots of a repository; each is a snapshot id, else a branch, else a tag. */
export type DiffAddress = { readonly repo: string; readonly from: string; readonly to: string }

/** A webhook or a chat of a repository, by its id. */
export type ReceiverAddress = { readonly repo: string; readonly id: string }

/** A webhook or a chat of the organisation, by its id. */
export type OrgReceiverAddress = { readonly id: string }

/** An expectation of a repository, by its id. */
export type ExpectationAddress = { readonly repo: string; readonly id: string }

/** A remark of a repository, by its id. */
export type RemarkAddress = { readonly repo: string; readonly id: string }

/** An expectation of the organisation, by its id. */
export type OrgExpectationAddress = { readonly id: string }

/** A delivery of any repository of the organisation, by its id. */
export type OrgDeliveryAddress = { readonly id: string }

/** A delivery of a repository, by its id. */
export type DeliveryAddress = { readonly repo: string; readonly id: string }

/** An API key, by its id. */
export type ApiKeyAddress = { readonly id: string }

/** The session of a person, by its id. */
export type SessionAddress = { readonly id: string }

/** A notification, or its `details` alone. */
export type Notified = NewCommit | NewCommitDetails

/** A group of a snapshot. A missing or empty `group` means the root group. */
export type GroupOfSnapshot = { readonly group?: string | undefined }
