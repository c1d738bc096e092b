// A page of events for a caller that asks from time to time.
import type { EventPage } from '@floe/contract'
import { type Database, matchesFilter, readEvents } from '@floe/storage/database'
import { JsonWriter, type JsonBytes, takeJsonText } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import type { EventStreams } from './event-streams.ts'
import { listCovered } from '../../http/access/caller.ts'
import { type EventScope, listNamed } from './event-scope.ts'

type ListedEvent = EventPage['events'][number]

/** How many events a page has when the request does not say. */
const defaultLimit = 20

/** What a request for a page asks. */
type AskedPage = { readonly after?: string | undefined; readonly limit?: number | undefined }

/**
 * Writes the events after a position as JSON.
 *
 * @throws RequestProblem `events-gone` or `too-many-requests`
 */
export async function writeEventPage(
  { db, streams }: { readonly db: Database; readonly streams: Pick<EventStreams, 'find' | 'writePosition'> },
  scope: EventScope,
  { after: position, limit = defaultLimit }: AskedPage,
  signal: AbortSignal,
): Promise<JsonBytes<EventPage>> {
  const { after, last } = await streams.find(scope, position)
  const { org, served, filter } = scope
  const repos = listNamed(scope) ?? (await listCovered(db, org, scope.reader))
  const read = await readEvents(db, { org, repos, after, through: last, limit })
  const selected = read.events.filter((event) => served.serves(event.repo) && matchesFilter(filter, event))
  const events = selected
    .values()
    .map(({ position, payload }) =>
      takeJsonText<ListedEvent>(
        `{"id":${JSON.stringify(streams.writePosition(position, scope))},"notification":${payload}}`,
      ),
    )
  const next = streams.writePosition(read.through, scope)
  return new JsonWriter().writeInSlices<EventPage>({ events, next, has_more: read.through < last }, new Slices(signal))
}
