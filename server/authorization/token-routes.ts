// What clients of the authorization server send themselves.
import { hash } from 'node:crypto'
import { contract, type TokenRequest } from '@floe/contract'
import { accessMs, endAuthorization, renewAuthorization } from '@floe/storage/database'
import { isWithin } from '../http/access/protected-resource.ts'
import { implementJson } from '../http/contract.ts'
import { explainNoRoute } from '../http/errors/allowed-methods.ts'
import type { AuthorizationContext } from './authorization-context.ts'
import { isClientId, registerClient } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'

const { ask: _ask, authorize: _authorize, ...routes } = contract.authorization

/** What all clients can do. */
const abilities = { response_types: ['code'], grant_types: ['authorization_code', 'refresh_token'] }

export function makeTokenRoutes(context: AuthorizationContext) {
  const { db, secrets, baseUrl, failedLogins, timing } = context
  const requireClient = ({ client_id: id }: { readonly client_id: string }) => {
    // Clients register again when they read this.
    if (!isClientId(id, secrets)) throw new OAuthRefusal('invalid_client', 'The client is unknown')
  }
  return implementJson(routes, {
    server: async ({ request }) => {
      const path = new URL(request.originalUrl, baseUrl).pathname.slice(routes.server.path.length)
      if (!['', '/', new URL(baseUrl).pathname].includes(path)) throw explainNoRoute(request)
      return describeServer(baseUrl)
    },
    register: async ({ body }) => ({
      client_id: registerClient(body, secrets),
      ...body,
      ...abilities,
      token_endpoint_auth_method: 'none' as const,
    }),
    token: async ({ body, request }) => {
      if (!isWithin(body.resource ?? baseUrl, baseUrl))
        throw new OAuthRefusal('invalid_target', `resource must be ${baseUrl}, or below it`)
      const { text, required } = readGrant(body)
      requireClient(body)
      const now = new Date(timing.now())
      const tokens = await renewAuthorization(db, text, required, [body.client_id], now)
      if (tokens === undefined) {
        await failedLogins.slowDown('', request.ip)
        throw new OAuthRefusal('invalid_grant', 'It is wrong, used, expired or of another client, or its key has ended')
      }
      const { access, refresh } = tokens
      const kind = { token_type: 'Bearer' as const, expires_in: accessMs / 1_000 }
      return { access_token: access, ...kind, refresh_token: refresh }
    },
    revoke: async ({ body }) => {
      requireClient(body)
      await endAuthorization(db, body.token)
      return undefined
    },
  })
}

/** Reads the text to exchange, and what must come with it. @throws OAuthRefusal */
function readGrant(body: TokenRequest): { readonly text: string; readonly required: readonly string[] } {
  const need = (name: keyof TokenRequest) => {
    const value = body[name] ?? ''
    if (value === '') throw new OAuthRefusal('invalid_request', `${name} is missing`)
    return value
  }
  const client = need('client_id')
  if (body.grant_type === 'refresh_token') return { text: need('refresh_token'), required: [client] }
  if (body.grant_type !== 'authorization_code')
    throw new OAuthRefusal('unsupported_grant_type', `grant_type must be ${abilities.grant_types.join(' or ')}`)
  const challenge = hash('sha256', need('code_verifier'), 'base64url')
  return { text: need('code'), required: [client, need('redirect_uri'), challenge] }
}

/** @param baseUrl public address of the service, which is the issuer */
function describeServer(baseUrl: string) {
  const locate = (route: { readonly path: `/v1${string}` }) => baseUrl + route.path.slice('/v1'.length)
  return {
    issuer: baseUrl,
    authorization_endpoint: locate(contract.authorization.authorize),
    token_endpoint: locate(routes.token),
    revocation_endpoint: locate(routes.revoke),
    registration_endpoint: locate(routes.register),
    response_types_supported: abilities.response_types,
    response_modes_supported: ['query'],
    grant_types_supported: abilities.grant_types,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
}
