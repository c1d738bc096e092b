// The peer of warm answers: bare Fastify that checks an API key and sends bytes from memory.
// Usage: node bare-server.ts PORT AUTHORIZATION ANSWERS, where ANSWERS is a file of JSON: [{ path, file, headers }].
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'
import { z } from 'zod'

const Answers = z.array(z.object({ path: z.string(), file: z.string(), headers: z.record(z.string(), z.string()) }))

const [port, authorization = '', file = ''] = process.argv.slice(2)
const answers = new Map(
  await Promise.all(
    Answers.parse(JSON.parse(await readFile(file, 'utf8'))).map(
      async ({ path, file: body, headers }) => [path, { headers, bytes: await readFile(body) }] as const,
    ),
  ),
)

const hash = (text: string) => createHash('sha256').update(text).digest()
const expected = hash(authorization)

const app = Fastify()
app.addHook('onRequest', (request, reply, done) => {
  if (timingSafeEqual(hash(request.headers.authorization ?? ''), expected)) done()
  else void reply.status(401).send()
})
app.get('/*', (request, reply) => {
  const answer = answers.get(request.url)
  if (answer === undefined) return reply.status(404).send()
  if (request.headers['if-none-match'] === answer.headers['etag']) {
    return reply.status(304).header('etag', request.headers['if-none-match']).send()
  }
  return reply.headers(answer.headers).send(answer.bytes)
})
await app.listen({ host: '127.0.0.1', port: Number(port) })
