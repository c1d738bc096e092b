import { findErrors, summarize } from '../check-value.ts'
import { Notification as NotificationSchema } from '../generated/schemas.ts'
import type { Notification, ProblemError } from '../generated/types.ts'

/** The received body is not a notification. */
export class NotificationError extends Error {
  override readonly name = 'NotificationError'
  /** The wrong places of the body, at most the first 100, as JSON pointers, with what is wrong there. */
  readonly issues: readonly ProblemError[]

  constructor(issues: readonly ProblemError[]) {
    super(`Not a notification: ${summarize(issues)}`)
    this.issues = issues
  }
}

/**
 * Parses the body of a notification. Does not check who sent it: verify the secret token or the signature first. Keeps
 * fields that the contract does not know, because a newer service may add some.
 *
 * @param body - the body as text, as UTF-8 bytes, or as parsed JSON
 * @returns the notification; its `event` says which one it is
 * @throws NotificationError when a field is missing or wrong, or this version does not know the event
 */
export function parseNotification(body: unknown): Notification {
  const notification = isText(body) ? parseJson(body) : body
  const errors = findErrors(NotificationSchema, notification)
  if (errors.length > 0) throw new NotificationError(errors)
  // The schema has just accepted it.
  return notification as Notification
}

/**
 * Reads the name of the event in a parsed body.
 *
 * @throws NotificationError when the body names none
 */
export function readEventName(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new NotificationError([{ pointer: '', message: 'must be an object' }])
  }
  const event: unknown = 'event' in body ? body.event : undefined
  if (typeof event === 'string' && event !== '') return event
  throw new NotificationError([{ pointer: '/event', message: 'must name an event' }])
}

type Text = string | ArrayBuffer | ArrayBufferView

function isText(body: unknown): body is Text {
  return typeof body === 'string' || body instanceof ArrayBuffer || ArrayBuffer.isView(body)
}

/** The events that this version of the package knows. */
export function isKnownEvent(event: string): event is Notification['event'] {
  return NotificationSchema.oneOf?.some(({ properties }) => properties?.['event']?.const === event) ?? false
}

/** Parses a body. Throws NotificationError when it is not JSON in UTF-8. */
export function parseJson(body: Text): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new NotificationError([{ pointer: '', message: 'must be JSON in UTF-8' }])
  }
}
