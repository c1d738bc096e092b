/** What the codes of Node.js, Deno and Bun mean. */
const meanings: readonly (readonly [code: RegExp, meaning: string])[] = [
  [/ECONNREFUSED|ConnectionRefused/, 'the connection was refused'],
  [/ENOTFOUND|EAI_AGAIN/, 'the host name is unknown'],
  [/CERT|SIGNATURE|ISSUER/, 'the certificate is not trusted'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|ConnectionClosed/, 'the connection broke off'],
  [/TIMEOUT|ETIMEDOUT/, 'the connection took too long'],
]

/** Longest chain of causes. An error can be its own cause. */
const maxCauses = 5

/**
 * Says why a request failed. The error of `fetch` only says `fetch failed`: the reason is its cause, or the cause of
 * that.
 */
export function explainCause(cause: unknown, url: string): string {
  let last = new Error('unknown reason')
  for (let error = cause, count = 0; error instanceof Error && count < maxCauses; error = error.cause, count++) {
    last = error
    const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
    const [, meaning] = meanings.find(([pattern]) => pattern.test(code)) ?? []
    if (meaning !== undefined) return `${meaning} (${code})`
  }
  return isOtherOrigin(url)
    ? `${last.message}; the service may not allow pages of this origin (CORS, its setting cors.origins)`
    : last.message
}

/** Whether this program is a page of another origin. Browsers do not tell such a page why a request failed. */
function isOtherOrigin(url: string): boolean {
  return 'location' in globalThis && globalThis.location?.origin !== new URL(url).origin
}
