import { notificationHeaders as names } from '../generated/notification-headers.ts'
import { eventSubjects } from '../generated/event-subjects.ts'
import type {
  CheckPosted,
  GoodMoved,
  NewCommitDetails,
  Notification,
  ProblemError,
  SchemaChangedDetails,
} from '../generated/types.ts'
import { isKnownEvent, readEventName, NotificationError, parseJson, parseNotification } from './parse-notification.ts'
import { verifySecretToken } from './verify-secret-token.ts'
import { type SignedRequest, decodeSigningKeys, verifySignature } from './verify-signature.ts'

/** Maximum number of errors that one answer lists. */
const maxErrors = 20

/** The delivery that brought a notification. */
export type ReceivedDelivery = {
  /** `webhook-id`: the same for every attempt and redelivery. Use it to handle each delivery only once. */
  readonly id: string
  /** `webhook-attempt`, counted from 1. */
  readonly attempt: number
  /**
   * `webhook-sequence`: number of the event among those of its branch or tag, or of its expectation or check and
   * branch, or of the notice among those of its repository. Gives their order: it only increases, but can skip numbers.
   * `SchemaChanged` has the number of its `NewCommit`.
   */
  readonly sequence: number
  /** `webhook-replay-of`: id of the earlier delivery that an administrator sends again as new; undefined otherwise. */
  readonly replayOf: string | undefined
  /** Whether this is a test by an administrator (`webhook-test: true`), for which no head has moved. */
  readonly isTest: boolean
}

type Subjects = typeof eventSubjects

type EventNameAbout<Subject extends Subjects[keyof Subjects]> = {
  [Name in keyof Subjects]: Subjects[Name] extends Subject ? Name : never
}[keyof Subjects]

type NotificationAbout<Subject extends Subjects[keyof Subjects]> = Extract<
  Notification,
  { event: EventNameAbout<Subject> }
>

/** A notification of a branch that no longer meets an expectation, or meets it again. */
export type ExpectationEvent = NotificationAbout<'expectation'>

/** A notification of a branch or tag that was created or deleted. */
export type RefEvent = NotificationAbout<'branch' | 'tag'>

/** A notification of a note or a retraction. */
export type RemarkEvent = NotificationAbout<'remark'>

/** A notice about Floe itself, for a webhook of an organisation. */
export type Notice = NotificationAbout<'service'>

/** Options of a receiver. At least one of `secretToken` and `signingSecrets` is needed. */
export type ReceiverOptions = {
  /** The secret token that every request must have as `X-Secret-Token`. */
  readonly secretToken?: string | undefined
  /** The signing secrets of the webhook, `whsec_...`. Give both during a rotation. */
  readonly signingSecrets?: readonly string[] | undefined
  /**
   * Called at least once for each head move, in order. Only deliveries that an administrator sends again arrive out of
   * order: compare `sequence`. The delivery succeeds when it returns. If it throws, or takes longer than the 5 s that
   * the service waits, the same delivery is sent again.
   */
  readonly onNewCommit: (details: NewCommitDetails, delivery: ReceivedDelivery) => void | Promise<void>
  /**
   * Called after `onNewCommit` for a head move that changed what readers of datasets see, if the webhook selects this
   * event; without it, the event is accepted and ignored. Errors and the time limit are treated as for `onNewCommit`.
   */
  readonly onSchemaChanged?:
    ((details: SchemaChangedDetails, delivery: ReceivedDelivery) => void | Promise<void>) | undefined
  /**
   * Called for branches and tags that were created or deleted, if the webhook selects these events; without it, they
   * are accepted and ignored. Errors and the time limit are treated as for `onNewCommit`.
   */
  readonly onRefEvent?: ((notification: RefEvent, delivery: ReceivedDelivery) => void | Promise<void>) | undefined
  /**
   * Called when a branch no longer meets an expectation, or meets it again, if the webhook selects these events;
   * without it, they are accepted and ignored. `details.kind` says what is expected; a later version of the service may
   * send kinds that this version of the package does not know. Errors and the time limit are treated as for
   * `onNewCommit`.
   */
  readonly onExpectationEvent?:
    ((notification: ExpectationEvent, delivery: ReceivedDelivery) => void | Promise<void>) | undefined
  /**
   * Called when a check of a snapshot has another state, or is new, if the webhook selects this event; without it, the
   * event is accepted and ignored. Errors and the time limit are treated as for `onNewCommit`.
   */
  readonly onCheckPosted?:
    ((details: CheckPosted['details'], delivery: ReceivedDelivery) => void | Promise<void>) | undefined
  /**
   * Called when another head of a branch is the last good one, or none is any more, if the webhook selects this event;
   * without it, the event is accepted and ignored. Errors and the time limit are treated as for `onNewCommit`.
   */
  readonly onGoodMoved?:
    ((details: GoodMoved['details'], delivery: ReceivedDelivery) => void | Promise<void>) | undefined
  /**
   * Called when an administrator posts a note or a retraction, if the webhook selects these events; without it, they
   * are accepted and ignored. Errors and the time limit are treated as for `onNewCommit`.
   */
  readonly onRemarkEvent?: ((notification: RemarkEvent, delivery: ReceivedDelivery) => void | Promise<void>) | undefined
  /**
   * Called for notices about Floe itself, if the webhook of an organisation selects them; without it, they are accepted
   * and ignored. Errors and the time limit are treated as for `onNewCommit`.
   */
  readonly onNotice?: ((notification: Notice, delivery: ReceivedDelivery) => void | Promise<void>) | undefined
  /**
   * Called with the parsed body of an event that this version of the package does not know. Without it, such events are
   * accepted and ignored. Errors and the time limit are treated as for `onNewCommit`.
   */
  readonly onUnknownEvent?:
    ((event: string, body: unknown, delivery: ReceivedDelivery) => void | Promise<void>) | undefined
  /** Longest accepted body, in bytes. Default 1,048,576. */
  readonly maxBytes?: number | undefined
  /** The clock, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined
}

/**
 * Creates the function that handles the requests of a webhook. It answers 204 when the notification was handled or its
 * event is unknown. If a callback throws, it answers 500 and passes the error to `console.error`. It rejects other
 * requests with 400, 401, 405, 413 or 415, and a problem (RFC 9457) that says why.
 *
 * The function rejects with a TypeError when the body of its request was already read, because the signature covers its
 * bytes.
 *
 * @throws TypeError for an invalid option
 */
export function createReceiver(options: ReceiverOptions): (request: Request) => Promise<Response> {
  const { secretToken, signingSecrets, maxBytes = 1_048_576 } = options
  // Without this check, an environment variable that is not set would create a receiver that accepts every request.
  if (secretToken === undefined && signingSecrets === undefined) {
    throw new TypeError('a receiver needs a secretToken, signingSecrets, or both')
  }
  if (secretToken === '') throw new TypeError('secretToken is empty')
  if (signingSecrets) decodeSigningKeys(signingSecrets)
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) throw new TypeError('maxBytes must be a whole number, 1 or more')
  return (request) => receive(request, { ...options, maxBytes })
}

async function receive(request: Request, options: ReceiverOptions & { readonly maxBytes: number }): Promise<Response> {
  const { secretToken, signingSecrets, maxBytes } = options
  const { method, headers, bodyUsed } = request
  if (bodyUsed) {
    throw new TypeError(
      'the body of the request was already read, but the signature covers its bytes: pass a Request with its raw bytes',
    )
  }
  if (method !== 'POST') {
    return createProblemResponse(405, { detail: 'Send notifications with POST.', headers: { allow: 'POST' } })
  }
  if (!/^application\/(cloudevents\+)?json\s*(;|$)/i.test(headers.get(names.contentType) ?? '')) {
    return createProblemResponse(415, { detail: 'Send notifications as application/json or as CloudEvents.' })
  }
  if (secretToken !== undefined && !(await verifySecretToken(headers.get(names.secretToken), secretToken))) {
    return createProblemResponse(401, { detail: `${names.secretToken} is missing or wrong.` })
  }
  let body
  try {
    body = await readBytes(request, maxBytes)
  } catch {
    return createProblemResponse(400, { detail: 'The body broke off.' })
  }
  if (!body) return createProblemResponse(413, { detail: `The body is longer than ${maxBytes} bytes.` })
  if (signingSecrets && !(await isSigned(headers, body, { secrets: signingSecrets, now: options.now }))) {
    const detail = "The signature is missing, wrong, or more than 5 minutes away from this receiver's clock."
    return createProblemResponse(401, { detail })
  }
  return handle(headers, body, options)
}

function isSigned(headers: Headers, body: ArrayBuffer, trusted: Pick<SignedRequest, 'secrets' | 'now'>) {
  return verifySignature({
    id: headers.get(names.id),
    timestamp: headers.get(names.timestamp),
    signature: headers.get(names.signature),
    body,
    ...trusted,
  })
}

type Callbacks = Pick<
  ReceiverOptions,
  | 'onNewCommit'
  | 'onSchemaChanged'
  | 'onRefEvent'
  | 'onExpectationEvent'
  | 'onCheckPosted'
  | 'onGoodMoved'
  | 'onRemarkEvent'
  | 'onNotice'
  | 'onUnknownEvent'
>

async function handle(headers: Headers, body: ArrayBuffer, callbacks: Callbacks) {
  const delivery = readDelivery(headers)
  if (!delivery) {
    const detail = `${names.id}, ${names.attempt} or ${names.sequence} is missing or malformed.`
    return createProblemResponse(400, { detail })
  }
  let callBack: () => void | Promise<void>
  try {
    const json = openCloudEvent(headers, parseJson(body))
    const event = readEventName(json)
    if (isKnownEvent(event)) {
      const notification = parseNotification(json)
      callBack = () => dispatch(notification, delivery, callbacks)
    } else {
      callBack = () => callbacks.onUnknownEvent?.(event, json, delivery)
    }
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error
    return createProblemResponse(400, { detail: error.message, errors: error.issues.slice(0, maxErrors) })
  }
  try {
    await callBack()
  } catch (error) {
    console.error(error)
    return createProblemResponse(500, { detail: 'The notification could not be handled.' })
  }
  return new Response(null, { status: 204 })
}

/** Takes the notification out of a CloudEvent in structured mode. */
function openCloudEvent(headers: Headers, json: unknown): unknown {
  const isStructured = /^application\/cloudevents/i.test(headers.get(names.contentType) ?? '')
  return isStructured && typeof json === 'object' && json !== null && 'data' in json ? json.data : json
}

function dispatch(notification: Notification, delivery: ReceivedDelivery, callbacks: Callbacks): void | Promise<void> {
  if (notification.event === 'NewCommit') return callbacks.onNewCommit(notification.details, delivery)
  if (notification.event === 'SchemaChanged') return callbacks.onSchemaChanged?.(notification.details, delivery)
  if (isAbout(notification, 'branch', 'tag')) return callbacks.onRefEvent?.(notification, delivery)
  if (isAbout(notification, 'expectation')) return callbacks.onExpectationEvent?.(notification, delivery)
  if (isAbout(notification, 'check')) return callbacks.onCheckPosted?.(notification.details, delivery)
  if (isAbout(notification, 'good')) return callbacks.onGoodMoved?.(notification.details, delivery)
  if (isAbout(notification, 'remark')) return callbacks.onRemarkEvent?.(notification, delivery)
  return callbacks.onNotice?.(notification, delivery)
}

function isAbout<Subject extends Subjects[keyof Subjects]>(
  notification: Notification,
  ...subjects: readonly Subject[]
): notification is NotificationAbout<Subject> {
  return subjects.some((subject) => subject === eventSubjects[notification.event])
}

function readDelivery(headers: Headers): ReceivedDelivery | undefined {
  const id = headers.get(names.id)
  const attempt = parseCount(headers.get(names.attempt))
  const sequence = parseCount(headers.get(names.sequence))
  if (!id || attempt === undefined || sequence === undefined) return undefined
  const replayOf = headers.get(names.replayOf) ?? undefined
  return { id, attempt, sequence, replayOf, isTest: headers.get(names.test) === 'true' }
}

/** Parses a whole number from 1; undefined for other texts, and for numbers that JavaScript cannot hold exactly. */
function parseCount(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** Reads the body up to a limit; undefined when it is longer. Rejects when the body breaks off. */
async function readBytes(request: Request, maxBytes: number): Promise<ArrayBuffer | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined
  if (request.body === null) return new ArrayBuffer()
  // Use a reader, because some browsers cannot iterate streams.
  const reader = request.body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    size += chunk.value.length
    if (size > maxBytes) {
      await reader.cancel()
      return undefined
    }
    chunks.push(chunk.value)
  }
  return new Blob(chunks).arrayBuffer()
}

// With the type `about:blank`, the title should be the phrase of the status (RFC 9457).
const titles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
}

type Rejection = {
  /** What is wrong, for people. */
  readonly detail: string
  readonly errors?: readonly ProblemError[]
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Creates the answer to a rejected request, a problem (https://www.rfc-editor.org/rfc/rfc9457). Administrators see it
 * with the delivery.
 */
function createProblemResponse(status: keyof typeof titles, { headers, ...fields }: Rejection): Response {
  return Response.json(
    { type: 'about:blank', title: titles[status], status, ...fields },
    { status, headers: { 'content-type': 'application/problem+json', ...headers } },
  )
}
