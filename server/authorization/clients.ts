// Who asks for tokens. Nothing is stored of clients: the id of one that registers holds what it has registered, sealed,
// and the id of another is the address of a document that says the same (draft-ietf-oauth-client-id-metadata-document).
import { type AuthorizationRequest, ClientMetadata } from '@floe/contract'
import { SecretError, UnknownKeyError, type SecretBox } from '@floe/storage/secrets'
import { z } from 'zod'
import type { KeyExchange } from '../http/access/protected-resource.ts'
import { IssuerError } from '../issuers/read-document.ts'
import type { RequestProblem } from '../problems/request-problem.ts'
import { explainInvalidRequest } from '../problems/validation-problem.ts'
import { shorten } from '../text/shorten.ts'
import { findRedirectFault, isSameRedirect } from './redirect-address.ts'
import { OAuthRefusal } from './oauth-refusal.ts'

/** A client that asks, and the registered address to which the person will be sent back. */
export type AskingClient = {
  readonly id: string
  /** What it calls itself. */
  readonly name: string
  /** The host that vouches for the name; undefined if none does. */
  readonly describedAt: string | undefined
}

/** Maximum length of what a client registers, in characters. Its id, which is a third longer, is part of addresses. */
const maxLength = 2_000

const maxNameLength = 60

const context = 'client'

const ClientDocument = z.object({
  ...ClientMetadata.shape,
  client_id: z.string(),
  token_endpoint_auth_method: z.literal('none').optional(),
})

/** Returns the id of a new client. @throws OAuthRefusal */
export function registerClient({ redirect_uris, client_name }: ClientMetadata, secrets: SecretBox): string {
  for (const address of redirect_uris) {
    const fault = findRedirectFault(address)
    if (fault !== undefined) throw new OAuthRefusal('invalid_redirect_uri', `${address} ${fault}`)
  }
  const text = JSON.stringify({ redirect_uris, client_name })
  if (text.length > maxLength) throw new OAuthRefusal('invalid_client_metadata', 'The addresses are too long together')
  return secrets.sealBriefly(text, context)
}

/**
 * Finds the client that may send people back to an address.
 *
 * @throws RequestProblem `invalid-request` if there is none
 */
export async function findClient(
  { client_id: id, redirect_uri: redirect }: { readonly client_id: string; readonly redirect_uri: string },
  { secrets, readClient }: { readonly secrets: SecretBox } & KeyExchange,
): Promise<AskingClient> {
  const isDocument = isAddress(id)
  const client = isDocument ? await readDocument(id, readClient) : openId(id, secrets)
  if (client === undefined) throw explainParameter('client_id', 'is unknown; the client must register again')
  const registered = client.redirect_uris.find((address) => isSameRedirect(address, redirect))
  if (registered === undefined || findRedirectFault(redirect) !== undefined)
    throw explainParameter('redirect_uri', 'is not one of the addresses of the client')
  // Characters that cannot be seen could make one name look like another.
  const name = shorten((client.client_name ?? '').replaceAll(/\p{C}/gu, ''), maxNameLength)
  return {
    id,
    name: name === '' ? new URL(redirect).host : name,
    describedAt: isDocument ? new URL(id).host : undefined,
  }
}

/** Whether an id may be that of a client. Whether a document is at an address is not asked. */
export function isClientId(id: string, secrets: SecretBox): boolean {
  return isAddress(id) || openId(id, secrets) !== undefined
}

function isAddress(id: string): boolean {
  return id.startsWith('https://')
}

/** Undefined for an id that is not the service's, or was sealed with a key that is not used any more. */
function openId(id: string, secrets: SecretBox): ClientMetadata | undefined {
  try {
    return ClientMetadata.parse(JSON.parse(secrets.open(id, context)))
  } catch (error) {
    if (error instanceof SecretError || error instanceof UnknownKeyError) return undefined
    throw error
  }
}

/** Does not say why an address cannot be read, because that would tell strangers which hosts there are inside. */
async function readDocument(id: string, readClient: KeyExchange['readClient']): Promise<ClientMetadata> {
  const url = URL.parse(id)
  try {
    if (url === null || url.href !== id || url.pathname === '/' || url.hash !== '' || url.username !== '')
      throw new IssuerError('the address is not that of a document')
    const document = ClientDocument.safeParse(await readClient(id))
    if (!document.success || document.data.client_id !== id)
      throw new IssuerError('the document is about another client')
    return document.data
  } catch (cause) {
    if (!(cause instanceof IssuerError)) throw cause
    const message = 'there is no document of this client, with its client_id, at a public address'
    throw explainParameter('client_id', message, cause)
  }
}

/** Makes the problem for a parameter of a request for a code. */
export function explainParameter(name: keyof AuthorizationRequest, message: string, cause?: unknown): RequestProblem {
  return explainInvalidRequest([{ pointer: `/query/${name}`, message }], cause)
}
