// Follows the stream of events, and reconnects when necessary.
import { createParser } from 'eventsource-parser'
import {
  ContractViolationError,
  type FloeError,
  NetworkError,
  ProblemResponseError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts'
import { events } from './generated/routes.ts'
import type { ChangeVerdict, Check, Expectation, Notification, StreamedEventName } from './generated/types.ts'
import { isKnownEvent, NotificationError, parseNotification } from './receiver/parse-notification.ts'
import type { CallOptions } from './calls.ts'
import type { Connection } from './requests/connection.ts'
import { transientStatuses } from './requests/transport.ts'
import { formatAddress, type PathNames } from './requests/url.ts'

/** Which events to follow. */
export type EventSelection<Name extends StreamedEventName = StreamedEventName> = {
  /** Name of a repository. Default: all that the key may read. */
  readonly repo?: string | undefined
  /** Which events. Default: `NewCommit`. */
  readonly events?: readonly Name[] | undefined
  /** Patterns of branches, such as `release/*`. Default: `main`. */
  readonly branches?: readonly string[] | undefined
  /** Verdicts with which `SchemaChanged` is sent. Default: `breaking` and `unknown`. */
  readonly compatibility?: readonly ChangeVerdict[] | undefined
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. Default: all. */
  readonly kinds?: readonly Expectation['kind'][] | undefined
  /** Names of checks whose `CheckPosted` is sent. Default: all. */
  readonly checks?: readonly string[] | undefined
  /** States with which `CheckPosted` is sent. Default: all. */
  readonly states?: readonly Check['state'][] | undefined
  /** `id` of the last handled event; `0`: begin with the oldest recorded event. Default: only new events. */
  readonly after?: string | undefined
}

/** A recorded event. */
export type RecordedEvent<Name extends StreamedEventName = StreamedEventName> = {
  /** Position of the event. Store it to continue later with `after`. */
  readonly id: string
  /** The notification that webhooks receive, without `details.changes`. */
  readonly notification: Extract<Notification, { event: Name }>
}

/** Options of `events`. */
export type EventOptions = CallOptions & {
  /**
   * Called before each wait for a new connection, with the reason and with `attempt`, the number of failures since the
   * last message, and `delayMs`, the length of the wait. An error that it throws ends the iteration.
   */
  readonly onReconnect?:
    | ((error: FloeError, next: { readonly attempt: number; readonly delayMs: number }) => void | Promise<void>)
    | undefined
}

/** Wait before the first reconnection, in milliseconds. It doubles with each failure, and varies by up to a half. */
const firstWaitMs = 250

/** Longest wait before a reconnection, in milliseconds, before it is varied. */
const maxWaitMs = 30_000

/** Longest wait that an answer can ask for, in milliseconds. */
const maxRetryAfterMs = 600_000

/**
 * After this time without data, in milliseconds, a connection counts as lost. The service sends a heartbeat every 15
 * seconds.
 */
const silenceMs = 45_000

/** Maximum length of an event, in characters. The service sends at most 256,000 bytes of JSON. */
const maxEventLength = 1_048_576

/** Follows the events. See `events` of the client. */
export async function* followEvents<Name extends StreamedEventName = 'NewCommit'>(
  { root, openStream }: Pick<Connection, 'root' | 'openStream'>,
  names: PathNames,
  { events: selected, after, ...filter }: EventSelection<Name> = {},
  { signal, onReconnect }: EventOptions = {},
): AsyncGenerator<RecordedEvent<Name>, never, undefined> {
  const url = formatAddress(root, events.stream.path, names, { events: selected, after, ...filter })
  let last = after
  for (let failures = 0; ;) {
    signal?.throwIfAborted()
    const end = new AbortController()
    let failure: FloeError
    try {
      const open = AbortSignal.any([end.signal, ...(signal ? [signal] : [])])
      const position = last === undefined ? {} : { 'last-event-id': last }
      const response = await openStream(url, { accept: 'text/event-stream', ...position }, open)
      for await (const { id, data } of readMessages(response, url.href, open)) {
        failures = 0
        last = id ?? last
        if (data === undefined || id === undefined) continue
        // The service sends only the selected events.
        yield { id, notification: readNotification(data, url.href) as RecordedEvent<Name>['notification'] }
        // Many more events can have arrived together with this one.
        signal?.throwIfAborted()
      }
      failure = new NetworkError(url.href, new Error('the stream ended'))
    } catch (error) {
      signal?.throwIfAborted()
      if (!isTransient(error)) throw error
      failure = error
    } finally {
      end.abort()
    }
    failures++
    const delayMs = chooseDelay(failure, failures)
    await onReconnect?.(failure, { attempt: failures, delayMs })
    await pause(delayMs, signal)
  }
}

/** A message of the stream. Without `data`, it only says which position the stream has reached. */
type Message = { readonly id: string | undefined; readonly data: string | undefined }

/** Reads the messages of one connection, until it ends. */
async function* readMessages(response: Response, url: string, signal: AbortSignal): AsyncGenerator<Message> {
  const { status, headers, body } = response
  if (!headers.get('content-type')?.startsWith('text/event-stream') || body === null) {
    throw new UnexpectedResponseError(url, { status, reason: 'a stream of events is expected', body: '' })
  }
  let messages: Message[] = []
  const parser = createParser({
    onId: (id) => messages.push({ id, data: undefined }),
    // Skip events that a newer service added, as a receiver does.
    onEvent: ({ id, event = 'NewCommit', data }) => {
      messages.push({ id, data: isKnownEvent(event) ? data : undefined })
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new NetworkError(url, new Error('an event is too long'))
    },
    maxBufferSize: maxEventLength,
  })
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await readInTime(reader, url, signal)
      if (done) return
      parser.feed(value)
      yield* messages
      messages = []
    }
  } finally {
    // Not awaited, because it can take as long as a lost connection.
    void reader.cancel().catch(() => {})
  }
}

/**
 * Reads the next piece of text. Throws a NetworkError if none arrives in time, and the signal's reason if it aborts.
 */
async function readInTime(reader: ReadableStreamDefaultReader<string>, url: string, signal: AbortSignal) {
  const failure = Promise.withResolvers<never>()
  const timer = setTimeout(() => failure.reject(new NetworkError(url, new Error('the stream is silent'))), silenceMs)
  // Node.js does not pass an abort on to a body whose request was garbage-collected, so listen here too.
  const abort = () => failure.reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    return await Promise.race([reader.read(), failure.promise])
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof NetworkError ? error : new NetworkError(url, error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

function readNotification(data: string, url: string): Notification {
  try {
    return parseNotification(data)
  } catch (error) {
    throw error instanceof NotificationError ? new ContractViolationError(url, error.issues) : error
  }
}

/** Whether a new connection may succeed: the network failed, or the service or a proxy was busy or restarting. */
function isTransient(error: unknown): error is FloeError {
  if (error instanceof ProblemResponseError || error instanceof UnexpectedResponseError) {
    return transientStatuses.includes(error.status)
  }
  return error instanceof NetworkError || error instanceof TimeoutError
}

/** How long to wait before the next connection, in milliseconds: what the answer asks for, and the growing wait. */
function chooseDelay(failure: FloeError, failures: number): number {
  const askedMs = (failure instanceof ProblemResponseError && failure.retryAfterMs) || 0
  const ownMs = Math.min(firstWaitMs * 2 ** (failures - 1), maxWaitMs) * (0.5 + Math.random())
  return Math.round(Math.min(askedMs, maxRetryAfterMs) + ownMs)
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const wake = () => resolve()
  signal?.addEventListener('abort', wake)
  await promise
  signal?.removeEventListener('abort', wake)
  clearTimeout(timer)
  signal?.throwIfAborted()
}
