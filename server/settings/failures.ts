// What a failed request means, and how the page explains it.
import { NetworkError, ProblemResponseError, TimeoutError, UnexpectedResponseError } from '@floe/client'

/** Messages about fields of a request body, by the field's name. */
export type FieldErrors = Readonly<Record<string, string>>

/** Whether the service did not answer, so that trying again may help. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof UnexpectedResponseError) return proxyStatuses.has(error.status)
  return error instanceof NetworkError || error instanceof TimeoutError
}

/** Statuses of a proxy that cannot reach the service. The service sends the same ones with a problem. */
const proxyStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/** Whether the browser's credentials are no longer valid. */
export function isSignedOut(error: unknown): boolean {
  return isRedirect(error) || (error instanceof ProblemResponseError && error.is('unauthorized'))
}

/** Whether a proxy redirects, as single sign-on does when its session has ended. */
function isRedirect(error: unknown): boolean {
  return error instanceof UnexpectedResponseError && error.status === 0
}

/** Whether somebody else has changed the record since it was loaded. */
export function isConflict(error: unknown): boolean {
  return error instanceof ProblemResponseError && error.is('precondition-failed')
}

/** Explains a failed request in a sentence for the user. */
export function explainFailure(error: unknown): string {
  if (isRedirect(error)) return 'You are no longer signed in. Reload the page to sign in again.'
  if (isSignedOut(error))
    return 'You are no longer signed in, or the API key is no longer valid. Reload the page to sign in again.'
  if (isConnectionLost(error)) return 'The service did not answer. Check the connection, then try again.'
  if (error instanceof ProblemResponseError) {
    // The detail names the fields too, with what is wrong with them.
    const { title, detail } = error.problem
    return `${title}: ${detail}`
  }
  return error instanceof Error ? error.message : String(error)
}

/** Collects the messages about fields of the request body; undefined when the failure is not about a field. */
export function collectFieldErrors(error: unknown): FieldErrors | undefined {
  if (!(error instanceof ProblemResponseError)) return undefined
  if (error.is('alias-in-use')) return { alias: error.problem.detail }
  const messages = (error.problem.errors ?? []).flatMap(({ pointer, message }) => {
    const [, field, place = '', member] = /^\/body\/([^/]+)(\/([^/]+).*)?/.exec(pointer) ?? []
    if (field === undefined) return []
    if (member === undefined) return [[field, message] as const]
    if (field === 'contract') return [[field, `${place} ${message}`] as const]
    // The other lists in a form are lists of patterns.
    const name = /^\d+$/.test(member) ? `Pattern ${Number(member) + 1}` : member
    return [[field, `${name} ${message}`] as const]
  })
  // Reversed, so that the first message about a field wins.
  return messages.length > 0 ? Object.fromEntries(messages.toReversed()) : undefined
}
