import type { EventFilter } from '@floe/contract/lists'

/** How the payloads of head moves begin. */
const headMove = '{"event":"NewCommit",'

/**
 * Returns the payload for one receiver. What a head move changed is recorded beside the payload, because few receivers
 * ask; it is `null` if no receiver asked when the head move was recorded.
 *
 * @param event `payload` is a JSON object that ends with the object `details`
 */
export function showPayload(
  { payload, changes }: { readonly payload: string; readonly changes: string | null },
  filter: Pick<EventFilter, 'include_changes'>,
): string {
  if (!filter.include_changes || !payload.startsWith(headMove)) return payload
  return `${payload.slice(0, -2)},"changes":${changes ?? 'null'}}}`
}
