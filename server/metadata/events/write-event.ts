// Writes Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
import type { PlacedEvent } from '@floe/storage/database'

/** How long a caller should wait before it connects again, in milliseconds. */
const retryMs = 1_000

/** Writes an event. Its payload is JSON on one line. */
export function writeEvent({ position, name, payload }: PlacedEvent): Buffer {
  return Buffer.from(`id: ${position}\nevent: ${name}\ndata: ${payload}\n\n`)
}

/** Writes the beginning of a stream. It makes proxies pass on the answer, and tells the caller where the stream begins. */
export function writeBeginning(position: number): Buffer {
  return Buffer.from(`retry: ${retryMs}\n: the record so far\nid: ${position}\n\n`)
}

/** Writes a heartbeat. Its position lets a caller resume although no event concerned it for long. */
export function writeHeartbeat(position: number): Buffer {
  return Buffer.from(`: still here\nid: ${position}\n\n`)
}
