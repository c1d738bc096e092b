import { contentTypes, type McpAnswer } from '@floe/contract'
import type { Written } from '@floe/storage/json'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The protocol refuses a message: with a JSON-RPC error in place of a problem, because agents read nothing else. */
export class MessageRefusal extends Error {
  override name = 'MessageRefusal'
  readonly status: 400 | 404
  readonly answer: Written<McpAnswer>

  /** @throws TypeError for a status that the contract does not have */
  constructor(status: number, answer: Written<McpAnswer>) {
    super(`the message was refused with status ${status}`)
    if (status !== 400 && status !== 404) throw new TypeError(`a message is answered with status ${status}`)
    this.status = status
    this.answer = answer
  }
}

/** An error handler that sends refusals, and leaves other errors to the one outside. */
export function sendRefusal(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof MessageRefusal)) throw error
  return reply.status(error.status).type(contentTypes.json).send(error.answer)
}
