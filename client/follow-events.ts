// Follows the stream of events, and reconnects when necessary.
import { createParser } from 'eventsource-parser'
import {
  ContractViolationError,
  NetworkError,
  ProblemResponseError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts'
import { events } from './generated/routes.ts'
import type { Notification, StreamedEventName } from './generated/types.ts'
import { isKnownEvent, NotificationError, parseNotification } from './receiver/parse-notification.ts'
import type { CallOptions } from './requests/calls.ts'
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

/** Wait before the first reconnection, in milliseconds. It doubles with each failure, and varies by half. */
const firstWaitMs = 250
const maxWaitMs = 30_000

/** Longest wait that an answer can ask for, in milliseconds. */
const maxRetryAfterMs = 600_000

/** After this time without data, in milliseconds, a connection counts as lost. The service sends a heartbeat every 15 seconds. */
const silenceMs = 45_000

/** Maximum length of an event, in characters. The service sends at most 256,000 bytes of JSON. */
const maxEventLength = 1_048_576

/** Follows the events. See `events` of the client. */
export async function* followEvents<Name extends StreamedEventName = 'NewCommit'>(
  { root, openStream }: Pick<Connection, 'root' | 'openStream'>,
  names: PathNames,
  { repo, events: selected, branches, after }: EventSelection<Name> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<RecordedEvent<Name>, never, undefined> {
  const url = formatAddress(root, events.stream.path, names, { repo, events: selected, branches, after })
  let last = after
  for (let failures = 0; ;) {
    signal?.throwIfAborted()
    const end = new AbortController()
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
      failures++
    } catch (error) {
      signal?.throwIfAborted()
      if (!isTransient(error)) throw error
      failures++
      await pause(Math.min(readRetryAfter(error), maxRetryAfterMs), signal)
    } finally {
      end.abort()
    }
    await pause(Math.min(firstWaitMs * 2 ** (failures - 1), maxWaitMs) * (0.5 + Math.random()), signal)
  }
}

/** A message of the stream. Without `data`, it only says which position the stream has reached. */
type Message = { readonly id: string | undefined; readonly data: string | undefined }

/** Reads the messages of one answer, until the answer ends. */
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

async function readInTime(reader: ReadableStreamDefaultReader<string>, url: string, signal: AbortSignal) {
  const end = Promise.withResolvers<never>()
  const timer = setTimeout(() => end.reject(new NetworkError(url, new Error('the stream is silent'))), silenceMs)
  // Node.js does not pass an abort on to a body whose request was garbage-collected, so listen here too.
  const abort = () => end.reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    return await Promise.race([reader.read(), end.promise])
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
function isTransient(error: unknown): boolean {
  if (error instanceof ProblemResponseError || error instanceof UnexpectedResponseError) {
    return transientStatuses.includes(error.status)
  }
  return error instanceof NetworkError || error instanceof TimeoutError
}

function readRetryAfter(error: unknown): number {
  return (error instanceof ProblemResponseError && error.retryAfterMs) || 0
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  if (ms === 0) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const wake = () => resolve()
  signal?.addEventListener('abort', wake)
  await promise
  signal?.removeEventListener('abort', wake)
  clearTimeout(timer)
  signal?.throwIfAborted()
}
