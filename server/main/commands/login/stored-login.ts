// What commands send to a service for the person who has signed in.
import { ServiceError, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { type Given, renewToken } from './sign-in.ts'
import { findTokenFile, keepToken, readToken, type StoredToken } from './token-file.ts'

/** A token is renewed this long before it expires, in milliseconds. */
const marginMs = 60_000

/**
 * Finds the token of `floe login` for a service.
 *
 * @returns a function that returns the token, and renews it when that is due; undefined if nobody has signed in
 * @throws TokenFileError
 */
export async function findLogin(
  resource: string,
  environment: Terminal['environment'],
): Promise<(() => Promise<string>) | undefined> {
  const path = findTokenFile(environment)
  if ((await readToken(path, resource)) === undefined) return undefined
  // One after another, because issuers take a refresh token once.
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const token = last.then(() => readOrRenew(path, resource))
    last = token.catch(() => undefined)
    return token
  }
}

/** Returns the access token that the file has now: a person may have signed in again. Renews it when that is due. */
async function readOrRenew(path: string, resource: string): Promise<string> {
  const stored = await readToken(path, resource)
  if (stored === undefined) throw new ServiceError(`nobody is signed in to ${resource}: run floe login`)
  const { issuer, client_id: clientId, access_token, refresh_token: refreshToken, expires_at } = stored
  if (expires_at === null || Date.parse(expires_at) > Date.now() + marginMs) return access_token
  if (refreshToken === null) throw new ServiceError(`the token for ${resource} has expired: run floe login again`)
  try {
    const tokens = await renewToken({ issuer, clientId, resource }, refreshToken)
    const renewed = toStored(issuer, { clientId, tokens: { refresh_token: refreshToken, ...tokens } })
    await keepToken(path, resource, renewed)
    return renewed.access_token
  } catch (error) {
    // Only then is the refresh token of no more use (RFC 6749, section 5.2).
    const isRefused = error instanceof Error && 'error' in error && error.error === 'invalid_grant'
    throw explainIssuer(error, issuer, `the token cannot be renewed${isRefused ? '; run floe login again' : ''}`)
  }
}

/** Returns what is kept of the tokens of an issuer. */
export function toStored(issuer: string, { clientId, tokens }: Given): StoredToken {
  const { access_token, refresh_token = null, expires_in } = tokens
  const expires_at = expires_in === undefined ? null : new Date(Date.now() + expires_in * 1_000).toISOString()
  return { issuer, client_id: clientId, access_token, refresh_token, expires_at }
}

/**
 * Returns the error for a person whose issuer fails, in one message without a cause, because the client shows only the
 * deepest one. Messages of the library have no tokens.
 */
export function explainIssuer(error: unknown, issuer: string, what: string): Error {
  if (!(error instanceof Error) || error instanceof UsageError) return error as Error // Only errors are thrown here.
  const causes = [error.message, ...(error.cause instanceof Error ? [error.cause.message] : [])]
  return new ServiceError(`${issuer}: ${what}: ${causes.join(': ')}`)
}
