// Swagger UI as @fastify/swagger-ui serves it: one page for all deployments, and the files that the page loads.
import { contract, metaPrefix } from '@floe/contract'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import { treatAs } from '../../http/contract.ts'
import { compressFor, registerEncodableBody, variesWith } from '../../http/representation/content-encoding.ts'
import { addVary } from '../../http/representation/negotiation.ts'
import { withoutSchemas } from '../../http/without-schemas.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { permitCaching } from '../answering/answers.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { readThisHost } from './read-this-host.ts'
import { apiViews, documentationPolicy } from './api-views.ts'

const { docs, redoc, openapi } = contract.documents

/** The package requires a document, and would serve it at {@link unserved} addresses. */
const stub = { openapi: '3.1.0', info: { title: 'Floe', version: '' }, paths: {} }

/** What the package has below the page and the contract has not; the page reads `openapi.json` instead. */
const unserved: ReadonlySet<string> = new Set(['json', 'yaml', 'static/', 'static/index.html'])

/**
 * Makes the scope of Swagger UI. Its routes count as the contract's `documents.docs`, so addresses below the page ask
 * for credentials under every name, and callers without credentials cannot find out which deployments exist. The
 * package is loaded with the first request, because it would take a tenth of the time of the start.
 *
 * @param root path of the service; empty unless a proxy adds one
 */
export function makeSwaggerUiScope(root: string, context: Pick<MetadataContext, 'cachedRefs'>): FastifyPluginAsync {
  return async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...treatAs(docs) }
    })
    scope.addHook('onSend', makeCompletePage(root, context))
    let opened: Promise<FastifyInstance> | undefined
    const files = new Map<string, Buffer>()
    const answer = async ({ raw: { url = '' }, headers, routeOptions }: FastifyRequest, reply: FastifyReply) => {
      const file = new URL(url, 'http://localhost').pathname.replace(/^.*\/docs\//, '')
      if (unserved.has(file)) throw explainMissing()
      const ui = await (opened ??= openSwaggerUi(root))
      const condition = headers['if-none-match']
      const found = await ui.inject({ url, headers: condition === undefined ? {} : { 'if-none-match': condition } })
      if (found.statusCode >= 400) throw explainMissing()
      reply.code(found.statusCode)
      for (const name of keptHeaders) if (found.headers[name] !== undefined) reply.header(name, found.headers[name])
      if (routeOptions.url === docs.path) return found.payload
      addVary(reply, ...variesWith)
      if (found.statusCode !== 200) return found.payload
      const bytes = files.get(file) ?? registerEncodableBody(found.rawPayload)
      files.set(file, bytes)
      return compressFor(headers['accept-encoding'], reply, bytes)
    }
    for (const path of [docs.path, `${docs.path}/*`]) scope.get(path, answer)
  }
}

/** Headers of the package's answers that ours have too. */
const keptHeaders = ['content-type', 'etag', 'last-modified', 'cache-control', 'content-security-policy'] as const

/** Opens an application of its own with Swagger UI. It does not listen. */
async function openSwaggerUi(root: string): Promise<FastifyInstance> {
  const [{ fastify }, { default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('fastify'),
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ])
  const ui = fastify({ schemaController: withoutSchemas })
  await ui.register(swagger, { mode: 'static', specification: { document: stub } })
  await ui.register(swaggerUi, {
    routePrefix: docs.path,
    indexPrefix: root,
    theme: { title: ':org/:deployment API' },
    staticCSP: documentationPolicy,
    // The standard layout asks for the address of a document.
    uiConfig: { layout: 'BaseLayout', plugins: [readThisHost] },
  })
  return ui
}

function explainMissing(): RequestProblem {
  return new RequestProblem('route-not-found', 'The documentation has no such file')
}

const Names = z.record(z.string(), z.string())

/** What the page of the package lacks on phones. */
const forPhones = `<meta name="viewport" content="width=device-width, initial-scale=1">
<style>.swagger-ui .info .link { overflow-wrap: anywhere }</style>`

/**
 * Makes a hook that adds what the page and its headers lack, and replaces the parameters of its path, which the package
 * writes into the title, by the names of the deployment.
 */
function makeCompletePage(root: string, context: Pick<MetadataContext, 'cachedRefs'>): onSendAsyncHookHandler {
  const links = {
    home: `${root}${metaPrefix}/`,
    docs: root + docs.path,
    redoc: root + redoc.path,
    openapi: root + openapi.path,
  }
  const views = apiViews('docs', links).toString()
  return async (request, reply, payload) => {
    if (request.routeOptions.url !== docs.path || reply.statusCode !== 200 || typeof payload !== 'string')
      return payload
    permitCaching({ request, reply }, context)
    const names = Names.parse(request.params)
    return payload
      .replace('<head>', `<head>\n${forPhones}`)
      .replace('<div id="swagger-ui">', (start) => `${views}${start}`)
      .replace(/:(org|deployment)\b/g, (_, name: string) => names[name] ?? '')
  }
}
