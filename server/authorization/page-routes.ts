// The page on which a person gives an API key, and the way from there back to the client.
import { type AuthorizationRequest, contract } from '@floe/contract'
import { createAuthorization, findApiKey } from '@floe/storage/database'
import type { FastifyRequest } from 'fastify'
import { toCaller } from '../http/access/caller.ts'
import { isWithin } from '../http/access/protected-resource.ts'
import { type Answering, CallerLimit } from '../http/access/rate-limits.ts'
import { implement } from '../http/contract.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { logAudit } from '../observation/log-audit.ts'
import { encodePage } from '../pages/page.ts'
import type { AuthorizationContext } from './authorization-context.ts'
import { authorizePage } from './authorize-page.ts'
import { explainParameter, findClient } from './clients.ts'
import { DocumentReads } from './document-reads.ts'
import { addParameters } from './redirect-address.ts'

/**
 * The form may lead anywhere: browsers apply `form-action` to all redirections that follow, and clients send people on
 * to hosts of their own choice.
 */
const pagePolicy = securityHeaders['content-security-policy'].replace("form-action 'self'; ", '')

/** Codes that a key can be exchanged for in a minute. The audit names each. */
const codesPerMinute = 20

/**
 * Implements the page. It shows what is wrong with a request, and does not send people back with it: anyone can
 * register a client, so that links to Floe would lead to any address (RFC 9700, section 4.11.2).
 */
export function makePageRoutes(context: AuthorizationContext) {
  const reads = new DocumentReads(context.timing.elapsed)
  const codes = new CallerLimit(() => codesPerMinute, context.timing.elapsed)
  const { ask, authorize } = contract.authorization
  const { db, secrets, baseUrl, readClient, authenticator, failedLogins, timing, address } = context
  // Logged even if the log has only warnings.
  const auditLog = context.log.child({}, { level: 'info' })
  const read = async (query: AuthorizationRequest, request: FastifyRequest, reply: Answering) => {
    const readLimited = (id: string) => reads.run(request, reply, () => readClient(id))
    const client = await findClient(query, { secrets, readClient: readLimited })
    const { resource = baseUrl, redirect_uri: redirect, code_challenge: challenge = '', state } = query
    if (query.response_type !== 'code') throw explainParameter('response_type', 'must be code')
    if ((query.response_mode ?? 'query') !== 'query') throw explainParameter('response_mode', 'must be query')
    if (query.code_challenge_method !== 'S256') throw explainParameter('code_challenge_method', 'must be S256')
    if (!/^[\w-]{43}$/.test(challenge)) throw explainParameter('code_challenge', 'must be a SHA-256 in base64url')
    if (!isWithin(resource, baseUrl)) throw explainParameter('resource', `must be ${baseUrl}, or below it`)
    const sendBack = (answer: Readonly<Record<string, string>>) =>
      addParameters(redirect, { ...answer, ...(state !== undefined && { state }), iss: baseUrl })
    const page = { client, redirect, resource, cancel: sendBack({ error: 'access_denied' }) }
    const show = (isWrong: boolean) => encodePage(authorizePage({ ...page, isWrong, stylesheet: address.stylesheet }))
    return { client, host: new URL(redirect).host, required: [client.id, redirect, challenge], sendBack, show }
  }
  return implement(
    { ask, authorize },
    {
      ask: async ({ query, request, reply }) => {
        const { show } = await read(query, request, reply)
        reply.header('content-security-policy', pagePolicy)
        return { status: 200, body: show(false) }
      },
      authorize: async ({ query, body, request, reply }) => {
        const { client, host, required, sendBack, show } = await read(query, request, reply)
        const now = new Date(timing.now())
        const text = body.key.trim()
        const key = await findApiKey(db, text, now)
        if (key === undefined || !authenticator.serves(key.org)) {
          await failedLogins.slowDown('', request.ip)
          reply.header('content-security-policy', pagePolicy)
          return { status: 200, body: show(true) }
        }
        request.caller = toCaller(key)
        codes.count(request, reply)
        const { code, audit } = await createAuthorization(db, key, text, { name: client.name, host }, required, now)
        logAudit(auditLog, audit)
        reply.header('location', sendBack({ code }))
        return { status: 303, body: undefined }
      },
    },
  )
}
