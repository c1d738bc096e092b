// `floe login` and `floe logout`: commands and the Python client act for the person who has signed in at an issuer.
import { contract, ProtectedResource } from '@floe/contract'
import { waitOrAbort } from '@floe/storage/waiting'
import { type CommandLine, defaultService, explainNoAnswer, ServiceError, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { type Given, revokeToken, signInElsewhere, signInHere } from './sign-in.ts'
import { findTokenFile, keepToken, readToken } from './token-file.ts'
import { explainIssuer, toStored } from './stored-login.ts'

/** Longest time for an answer of the service, and for signing in, in milliseconds. */
const [answerMs, signInMs] = [30_000, 600_000]

/** `floe login [ISSUER]`: keeps a token for a service. */
export async function login({ values, operands: [chosen] }: CommandLine, terminal: Terminal): Promise<void> {
  const resource = values.url ?? defaultService
  const { authorization_servers: issuers, scopes_supported: scopes } = await readResource(resource, terminal.stop)
  const issuer = chosen ?? (issuers.length === 1 ? issuers[0] : undefined)
  if (issuer === undefined || !issuers.includes(issuer))
    throw new UsageError(`login needs one of the issuers of ${resource}: ${issuers.join(', ')}`)
  const signal = AbortSignal.any([terminal.stop, AbortSignal.timeout(signInMs)])
  const signIn = values.device ? signInElsewhere : signInHere
  let given: Given
  try {
    given = await signIn(
      { issuer, clientId: values['client-id'], resource, scopes },
      { tell: (text) => terminal.err(text), signal },
    )
  } catch (error) {
    terminal.stop.throwIfAborted()
    throw explainIssuer(error, issuer, signal.aborted ? 'nobody has signed in for 10 minutes' : 'signing in failed')
  }
  const path = findTokenFile(terminal.environment)
  await keepToken(path, resource, toStored(issuer, given))
  terminal.err(`Signed in to ${resource}; the token is in ${path}\n`)
}

/** `floe logout`: forgets the token for a service, and lets the issuer revoke it. */
export async function logout({ values: { url: resource = defaultService } }: CommandLine, terminal: Terminal) {
  const path = findTokenFile(terminal.environment)
  const stored = await readToken(path, resource)
  if (stored === undefined) return
  await keepToken(path, resource)
  const { issuer, client_id: clientId, access_token, refresh_token } = stored
  try {
    await waitOrAbort(revokeToken({ issuer, clientId }, refresh_token ?? access_token), terminal.stop)
  } catch (error) {
    terminal.stop.throwIfAborted()
    throw explainIssuer(error, issuer, 'the token is forgotten here, but could not be revoked')
  }
}

/** Reads which issuers a service takes tokens of (RFC 9728). */
async function readResource(baseUrl: string, stop: AbortSignal): Promise<ProtectedResource> {
  const url = URL.parse(baseUrl)
  if (url === null) throw new UsageError('--url is not an address')
  const address = `${url.origin}${contract.documents.protectedResource.path}${url.pathname}`
  const signal = AbortSignal.any([stop, AbortSignal.timeout(answerMs)])
  let answer: Response
  try {
    answer = await fetch(address, { signal })
  } catch (error) {
    stop.throwIfAborted()
    throw new ServiceError(`${address} cannot be read: ${explainNoAnswer(error)}`, { cause: error })
  }
  if (answer.status === 404) throw new ServiceError(`${baseUrl} takes no tokens: use an API key`)
  const found = ProtectedResource.safeParse(await answer.json().catch(() => undefined))
  if (!found.success) throw new ServiceError(`${address} does not name issuers: it answers ${answer.status}`)
  // RFC 9728, section 3.3. The service refuses tokens for another address than its own.
  const { resource } = found.data
  if (resource !== baseUrl) throw new ServiceError(`${baseUrl} calls itself ${resource}: use that address`)
  return found.data
}
