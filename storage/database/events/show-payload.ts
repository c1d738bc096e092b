/**
 * Returns the payload for one receiver. What a head move changed is recorded beside the payload, because few receivers ask.
 *
 * @param event `payload` is a JSON object that ends with the object `details`
 */
export function showPayload(
  { payload, changes }: { readonly payload: string; readonly changes: string | null },
  { includes_changes }: { readonly includes_changes: 0 | 1 },
): string {
  if (includes_changes === 0 || changes === null) return payload
  return `${payload.slice(0, -2)},"changes":${changes}}}`
}
