// Writes an event as a CloudEvent (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md): its attributes
// as headers in binary mode, or as members around the notification in structured mode.
import type { Notification } from '@floe/contract'
import { fillPath, repoPrefix } from '@floe/contract/constants'

/** The media type of an event in structured mode. */
export const structuredType = 'application/cloudevents+json'

/** An event that is delivered. */
export type DeliveredEvent = {
  /** Id of the delivery. */
  readonly id: string
  /** The notification, as it was recorded. */
  readonly payload: string
  /** When it was recorded. */
  readonly time: Date
}

/** Reads what an event is about from its payload. */
export function readOrigin(payload: string) {
  const { event, details } = JSON.parse(payload) as Notification // `describeEvent` wrote it, maybe of another version
  const { org_name: org, repo_name: repo } = details
  const subject = 'tag' in details ? details.tag : 'branch' in details ? details.branch : null
  return { event, org, source: fillPath(repoPrefix, { org, repo }), subject }
}

function listAttributes({ id, payload, time }: DeliveredEvent): Readonly<Record<string, string>> {
  const { event, source, subject } = readOrigin(payload)
  const about = subject === null ? {} : { subject }
  return { specversion: '1.0', id, source, type: `floe.${event}`, ...about, time: time.toISOString() }
}

/** Writes the headers of an event in binary mode. */
export function writeAttributeHeaders(event: DeliveredEvent): Record<string, string> {
  const attributes = Object.entries(listAttributes(event))
  return Object.fromEntries(attributes.map(([name, value]) => [`ce-${name}`, encodeAttribute(value)]))
}

/** Writes the body of an event in structured mode. It holds the payload byte for byte. */
export function writeStructuredEvent(event: DeliveredEvent): string {
  const attributes = { ...listAttributes(event), datacontenttype: 'application/json' }
  return `${JSON.stringify(attributes).slice(0, -1)},"data":${event.payload}}`
}

/**
 * Percent-encodes what a header cannot hold: everything but visible ASCII, and the characters `"` and `%`
 * (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md#3132-http-header-values).
 */
function encodeAttribute(value: string): string {
  return value.toWellFormed().replaceAll(/[^!#$&-~]+/gu, encodeURIComponent)
}
