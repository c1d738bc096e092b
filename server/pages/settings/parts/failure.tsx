// Explains a failed request to the user.
import { NetworkError, ProblemResponseError, TimeoutError } from '@floe/client'

/** Whether the request got no answer, so that trying again may help. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof NetworkError || error instanceof TimeoutError
}

/** Whether the browser's credentials are no longer valid. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ProblemResponseError && error.is('unauthorized')
}

export function explainFailure(error: unknown): string {
  if (isSignedOut(error)) return 'The API key is no longer valid. Reload the page to sign in with another.'
  if (isConnectionLost(error)) return 'The service did not answer. Check the connection, then try again.'
  if (error instanceof ProblemResponseError) {
    const { title, detail } = error.problem
    const places = (error.problem.errors ?? []).map(({ message }) => message)
    return [`${title}: ${detail}`, ...places].join('. ')
  }
  return error instanceof Error ? error.message : String(error)
}

/** Collects messages by the member of the request body that they concern; returns undefined when the failure concerns none. */
export function collectFieldErrors(error: unknown): Readonly<Record<string, string>> | undefined {
  if (!(error instanceof ProblemResponseError)) return undefined
  if (error.is('alias-in-use')) return { alias: error.problem.detail }
  const messages = (error.problem.errors ?? []).flatMap(({ pointer, message }) => {
    const [, member, index] = /^\/body\/([^/]+)(?:\/([0-9]+))?/.exec(pointer) ?? []
    if (member === undefined) return []
    // The lists that people type are lists of patterns.
    return [[member, index === undefined ? message : `Pattern ${Number(index) + 1} ${message}`] as const]
  })
  // Reversed, so that the first message about a member wins.
  return messages.length > 0 ? Object.fromEntries(messages.toReversed()) : undefined
}

/** Shows what went wrong. Screen readers announce it because the region exists before the message does. */
export function FailureNote({ error }: { readonly error: unknown }) {
  return <div role="alert">{error !== undefined && <p class="failure">{explainFailure(error)}</p>}</div>
}
