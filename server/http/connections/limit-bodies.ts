import type { FastifyInstance } from 'fastify'
import type { UnsentAnswers } from './unsent-answers.ts'

/** What each piece of a body counts besides its bytes. Node.js keeps a piece of one byte in about 170 bytes. */
const pieceBytes = 256

/** The connection of a body that counts more is closed, in bytes: twice the longest body. */
const maxBodyBytes = 2_097_152

/** Bodies that count less, in bytes, take no room: the limits of connections keep them from filling the memory. */
const smallBodyBytes = 65_536

/** Methods whose bodies nobody reads. */
const methodsWithoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * Limits the memory that bodies take while they arrive. Otherwise a body of 1 MiB that is sent byte by byte would take
 * 170 MB. Call this before hooks that wait are added, because bodies arrive meanwhile.
 */
export function limitBodies(app: FastifyInstance, room: Pick<UnsentAnswers, 'makeRoom' | 'count'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, method } = request
    if (methodsWithoutBody.has(method)) {
      if (raw.headers['content-length'] ?? raw.headers['transfer-encoding']) raw.resume()
      return done()
    }
    let bytes = 0
    let hasRoom = false
    const push = raw.push.bind(raw)
    const hasRoomFor = (chunk: Buffer): boolean => {
      bytes += pieceBytes + chunk.length
      if (bytes > maxBodyBytes) return false
      if (hasRoom || bytes <= smallBodyBytes) return true
      hasRoom = room.makeRoom(request, maxBodyBytes)
      if (hasRoom) room.count(request, reply.raw, maxBodyBytes, () => maxBodyBytes)
      return hasRoom
    }
    // Node.js passes each piece to `push`. Events of the request would join pieces that wait to be read.
    raw.push = (chunk: Buffer | null) => {
      if (chunk === null || hasRoomFor(chunk)) return push(chunk)
      raw.destroy()
      return false
    }
    done()
  })
}
