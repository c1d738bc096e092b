// Tells clients which issuers give tokens for the service (RFC 9728).
import { contract, type ProtectedResource } from '@floe/contract'

/** The issuers whose tokens are taken. */
export type TokenIssuers = {
  /** Public address of the service, ending in `/v1`. */
  readonly baseUrl: string
  readonly issuers: readonly string[]
  /** What clients should ask for, so that tokens have the claims of the rules. */
  readonly scopes: readonly string[]
  /** How the service exchanges API keys for tokens, as one of the issuers. Undefined if it does not. */
  readonly exchange?: KeyExchange | undefined
}

/** What an exchange of API keys needs: the documents that clients publish about themselves, as JSON. */
export type KeyExchange = { readonly readClient: (address: string) => Promise<unknown> }

const { path: documentPath } = contract.documents.protectedResource

/** Builds the challenge for clients with tokens. It leads to the document about the address of the request. */
export function challengeBearer({ baseUrl }: TokenIssuers, url: string, hasToken: boolean): string {
  const { origin, href } = locate(baseUrl, url)
  const document = `${origin}${documentPath}${href.slice(origin.length)}`
  return `Bearer ${hasToken ? 'error="invalid_token", ' : ''}resource_metadata="${document}"`
}

/**
 * Describes the resource that the address of the document names after its own path; without one, the whole service.
 * Undefined for what is not below the public address of the service.
 */
export function describeResource(
  { baseUrl, issuers, scopes }: TokenIssuers,
  url: string,
): ProtectedResource | undefined {
  const { origin, pathname } = new URL(url, baseUrl)
  const path = pathname.slice(documentPath.length)
  const resource = path === '' || path === '/' ? baseUrl : `${origin}${path}`
  if (!isWithin(resource, baseUrl)) return undefined
  return {
    resource,
    authorization_servers: [...issuers],
    scopes_supported: [...scopes],
    bearer_methods_supported: ['header'],
    resource_name: 'Floe',
  }
}

/** Whether a resource is the service, or one of its addresses: clients ask for what they want to call (RFC 8707). */
export function isWithin(resource: string, baseUrl: string): boolean {
  return resource === baseUrl || resource.startsWith(`${baseUrl}/`)
}

/** Finds the public address of a request. A proxy may have removed the first part of its path. */
function locate(baseUrl: string, url: string): URL {
  const { pathname } = new URL(url, baseUrl)
  return new URL(`${baseUrl.replace(/\/v1$/, '')}${pathname}`)
}
