// The tables of receivers, events and deliveries; see `tables.ts`.
import type {
  ChangeVerdict,
  ChatService,
  CheckState,
  DeliveryState,
  EventName,
  ExpectationKindName,
  ReceiverKind,
} from '@floe/contract/lists'
import type { ColumnType, Generated } from 'kysely'

/** The state of a delivery as it is stored. Held deliveries are stored as `pending`. */
export type StoredDeliveryState = Exclude<DeliveryState, 'held'>

export type NotificationTables = {
  receivers: ReceiversTable
  deleted_receivers: DeletedReceiversTable
  queues: QueuesTable
  events: EventsTable
  event_positions: EventPositionsTable
  deliveries: DeliveriesTable
  undelivered: UndeliveredTable
  attempts: AttemptsTable
}

export type ReceiversTable = {
  id: string
  org: string
  /** Null for a receiver of all repositories of the organisation. */
  repo_id: string | null
  kind: ReceiverKind
  alias: string
  /** Sealed. */
  url: string
  origin: string
  service: ChatService | null
  /** Its settings, as JSON; see `storage/records/event-filter`. */
  filter: string
  /** Sealed. */
  secret_token: string | null
  /** Headers that a webhook adds, as a JSON object: sealed values by name. */
  headers: string
  /**
   * Newest first, as a JSON list of `{ sealed, until }`. Each signs until that time; null means until it is replaced.
   * `isDeclared: true` marks the secret that the configuration file declares.
   */
  signing_secrets: string
  /** The ids of the keys that these secrets and the URL are sealed with, with a space between two. */
  sealed_with: string
  is_declared: 0 | 1
  is_enabled: 0 | 1
  version: Generated<number>
  disabled_reason: string | null
  created_at: number
  updated_at: number
  last_success_at: number | null
  failing_since: number | null
  /** The last failed attempt since the last success, as JSON. */
  last_failure: string | null
  /** 1 when a notice that it fails was due since its last success. */
  is_failure_noticed: Generated<0 | 1>
  /**
   * When to gather the deliveries that wait for a digest. Until it is null, others wait too, so that none comes before
   * an older one.
   */
  digest_at: number | null
}

/** Deleted receivers whose deliveries are not all deleted yet. */
type DeletedReceiversTable = { id: string }

/** The queue of a receiver's deliveries of one repository. It exists from the first of them. */
type QueuesTable = {
  receiver_id: string
  repo_id: string
  /** When its first delivery is due. Null when no delivery waits, or the receiver is disabled. */
  due_at: number | null
  /** The replica that is sending its first delivery; null when none is. A replica that dies loses its leases. */
  leased_by: string | null
  /** Number of the lease among those of the replica. */
  lease_number: number | null
}

type EventsTable = {
  /** In the order in which events were recorded. For references, because it is shorter than the id. */
  number: Generated<number>
  id: string
  repo_id: string
  /** What the event is about: a branch, a tag, or the notices of the repository, for example; see `writeRef`. */
  ref: string
  sequence: number
  name: EventName
  payload: string
  /** What a head move changed, as JSON, for receivers that ask. Null when none asked. */
  changes: string | null
  /** Of an event about an expectation; null for other events. */
  expectation_kind: ExpectationKindName | null
  /** Of an event about a check; null for other events. */
  check_state: CheckState | null
  /** Of `SchemaChanged`; null for other events. */
  verdict: ChangeVerdict | null
  /** Of `NewCommit`: how many commits it lists. Null when it lists none, and for other events. */
  commit_count: number | null
  line: string
  created_at: number
  /** The organisation of the repository, repeated here for the index of positions. */
  org: AssignedLast<string>
  /** Position among all events of the organisation, from 1. */
  position: AssignedLast<number>
}

/** A column that is set before the transaction that inserts the row ends: no other transaction sees it empty. */
type AssignedLast<Value> = ColumnType<Value, Value | undefined, Value>

type EventPositionsTable = {
  org: string
  /** Position of the last event. */
  last: number
  /** Events up to this position may have been deleted; 0 when none were. */
  deleted_through: number
  /** Whether somebody has opened an event stream, so that first heads without receivers are events too. */
  has_streams: 0 | 1
}

/**
 * Permanent record of a delivery. Its mutable state is in `undelivered` until it succeeds; so this row is usually
 * written once.
 */
type DeliveriesTable = {
  /**
   * In the order in which deliveries were recorded: those of later events after those of earlier ones, except for
   * replays as new. For references.
   */
  number: Generated<number>
  /** A UUID, sent as `webhook-id`. */
  id: string
  event_number: number
  /** The receiver's `org` and `repo_id`, repeated here for the indexes of lists. */
  org: string
  receiver_repo_id: string | null
  receiver_id: string
  /** Id of the delivery that this one replays as new; null for that of an event. */
  replay_of: string | null
  /** Attempts in all, once it has succeeded. Before that, `undelivered` counts them. */
  attempts: Generated<number>
  /**
   * The delivery whose request carries this one, as part of a digest: its own number for that one. The others have no
   * row in `undelivered`. Null if it is sent alone, or waits for its digest.
   */
  digest_number: number | null
  /** What the request says, written by the function that described the digest. Of the delivery that carries it. */
  digest: string | null
}

/** Deliveries that wait or were given up. One that has succeeded is in it only while it waits to be sent again. */
type UndeliveredTable = {
  delivery_number: number
  /** Repository of the event and receiver of the delivery, repeated here for the index of queues. */
  repo_id: string
  receiver_id: string
  /** As in the delivery, for the indexes of lists. */
  org: string
  receiver_repo_id: string | null
  state: StoredDeliveryState
  /**
   * Position in the queue: the delivery's number; 0 for a redelivery, which goes first; from `firstReplayPosition` on
   * for replays. Null when it does not wait.
   */
  queue_position: number | null
  /** Earliest time of the next attempt, once the delivery is first in the queue. Null means at once. */
  due_at: number | null
  attempts: Generated<number>
  /** Number of attempts that were requested while a retry was planned. They do not count towards the retry schedule. */
  extra_attempts: Generated<number>
  /** 1 while it waits for a digest of its receiver: the queue goes on without it. */
  awaits_digest: Generated<0 | 1>
}

export type AttemptsTable = {
  delivery_number: number
  /** Number of the attempt of this delivery, from 1. */
  number: number
  started_at: number
  duration_ms: number
  /** HTTP status of the answer; null when there was none. */
  status: number | null
  error: string | null
  response_excerpt: string | null
}
