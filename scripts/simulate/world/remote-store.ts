// A server of objects, which are the files of a directory.
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { machine } from '../machine/machine.ts'
import { fileFates } from '../machine/patch-files.ts'
import { type Connection, type Host, hosts, type Peer } from '../machine/patch-network.ts'
import { type HttpRequest, takeRequest, writeAnswer } from './http-messages.ts'

/** Answers `GET` with ranges and entity tags. It is slow, or fails, when files are slow or fail. */
export class SimulatedStore implements Host {
  readonly address = '10.1.0.1'
  readonly origin: string
  readonly #directory: string

  constructor(name: string, directory: string) {
    this.origin = `https://${name}`
    this.#directory = directory
    hosts.set(name, this)
  }

  lookUp() {
    return { ms: machine.random.between(0.5, 40) }
  }

  connect() {
    return { ms: machine.random.between(0.5, 60) }
  }

  accept(connection: Connection): Peer {
    let received = ''
    let isOpen = true
    return {
      receive: (bytes) => {
        received += bytes.toString('latin1')
        const request = takeRequest(received)
        if (request === undefined) return
        received = received.slice(request.length)
        const file = join(this.#directory, request.path)
        const { ms, code } = fileFates.decide(file)
        const answer = () =>
          isOpen && connection.send(code === undefined ? readObject(file, request) : writeAnswer(503))
        machine.plan(ms, 'network', answer, { owner: machine.world, detail: request.path })
      },
      close: () => {
        isOpen = false
      },
    }
  }
}

/** Answers with an object, or a part of it. */
function readObject(file: string, { headers }: HttpRequest): Buffer {
  if (!existsSync(file)) return writeAnswer(404)
  const object = readFileSync(file)
  const etag = `"${hash('sha1', object)}"`
  if (headers.get('if-none-match') === etag) return writeAnswer(304, { etag })
  const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.get('range') ?? '') ?? []
  if (start === undefined) return writeAnswer(200, { etag }, object)
  if (Number(start) >= object.length) return writeAnswer(416)
  const part = object.subarray(Number(start), Number(last) + 1)
  const range = `bytes ${start}-${Number(start) + part.length - 1}/${object.length}`
  return writeAnswer(206, { etag, 'content-range': range }, part)
}
