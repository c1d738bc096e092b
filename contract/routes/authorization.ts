// An authorization server for clients that take OAuth only: it exchanges an API key for tokens. It knows no people.
import { c, changeProblems, commonProblems, htmlPage, meta, problems } from '../dsl.ts'
import {
  AuthorizationRequest,
  AuthorizationServer,
  ClientMetadata,
  KeyForm,
  OAuthError,
  RegisteredClient,
  RevocationRequest,
  TokenRequest,
  Tokens,
} from '../schemas/authorization.ts'

const metadata = meta({ tag: 'authorization', access: 'anyone', isInClient: false })
const toClients = meta({ ...metadata, ownErrors: { statuses: [400], body: OAuthError } })
const requestProblems = problems(...commonProblems, 'route-not-found', 'too-many-requests')
const sendProblems = problems(...commonProblems, ...changeProblems, 'route-not-found', 'too-many-requests')

const off = ' Answers 404 unless the configuration has `auth.exchangeKeys`.'
const form = 'application/x-www-form-urlencoded' as const

/** The routes of the authorization server. */
export const authorization = c.router({
  server: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    responses: { 200: AuthorizationServer, ...requestProblems },
    summary: 'Metadata of the authorization server',
    description:
      'Returns the addresses of the authorization server (RFC 8414). The path of the issuer, `/v1`, may follow.' + off,
    metadata,
  },
  register: {
    method: 'POST',
    path: '/v1/oauth/register',
    body: ClientMetadata,
    responses: { 201: RegisteredClient, ...sendProblems },
    summary: 'Register a client',
    description: 'Returns an id for a client (RFC 7591).' + off,
    metadata: toClients,
  },
  ask: {
    method: 'GET',
    path: '/v1/oauth/authorize',
    query: AuthorizationRequest,
    responses: { 200: htmlPage, ...requestProblems },
    summary: 'Page that asks for an API key',
    description:
      'Returns an HTML page that says which client asks, and asks for an API key. What is wrong with a request is ' +
      'shown there: nobody is sent to the address of a client before giving a key.' +
      off,
    metadata,
  },
  authorize: {
    method: 'POST',
    path: '/v1/oauth/authorize',
    query: AuthorizationRequest,
    contentType: form,
    body: KeyForm,
    responses: { 200: htmlPage, 303: c.noBody(), ...sendProblems },
    summary: 'Exchange an API key for a code',
    description: 'Sends the person back to the client with a code. Returns the page again if the key is wrong.' + off,
    metadata: meta({ ...metadata, headers: ['location'] }),
  },
  token: {
    method: 'POST',
    path: '/v1/oauth/token',
    contentType: form,
    body: TokenRequest,
    responses: { 200: Tokens, ...sendProblems },
    summary: 'Exchange a code or a refresh token',
    description:
      'Returns an access token and the next refresh token. They have the rights of the API key, and end with it. A ' +
      'code or a refresh token that is used twice, or with something wrong, ends all tokens that came from the same ' +
      'code.' +
      off,
    metadata: toClients,
  },
  revoke: {
    method: 'POST',
    path: '/v1/oauth/revoke',
    contentType: form,
    body: RevocationRequest,
    responses: { 200: c.noBody(), ...sendProblems },
    summary: 'Revoke tokens',
    description:
      'Ends an access token or a refresh token, and all others that came from the same code (RFC 7009). A token that ' +
      'has ended gets the same answer.' +
      off,
    metadata: toClients,
  },
})
