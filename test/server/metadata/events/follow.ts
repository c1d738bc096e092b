// Reads streams of events as a caller does, and moves heads.
import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { type Database, readHead, recordHeadMove } from '@floe/storage/database'
import type { Test } from 'tap'
import { commit } from '../../../storage/records/database/recorded.ts'
import { basic } from '../../start-server.ts'
import { rememberRepository } from '../../../storage/records/database/remember-repository.ts'

/** An open stream. */
export class Followed {
  readonly response: IncomingMessage
  readonly messages: EventSourceMessage[] = []
  /** Every `id`, also of heartbeats. */
  readonly ids: string[] = []
  readonly comments: string[] = []
  #onChange = () => {}

  constructor(response: IncomingMessage) {
    this.response = response
    const parser = createParser({
      onEvent: (message) => this.messages.push(message),
      onId: (id) => this.ids.push(id),
      onComment: (comment) => this.comments.push(comment),
    })
    response.setEncoding('utf8').on('data', (text: string) => {
      parser.feed(text)
      this.#onChange()
    })
    response.on('error', () => {})
    response.once('close', () => this.#onChange())
  }

  /** The snapshots of the events so far. */
  get heads(): string[] {
    return this.messages.map(({ data }) => JSON.parse(data).to)
  }

  /** Resolves when something is true about the stream. Fails when the stream ends before that. */
  async until(isTrue: (stream: this) => boolean): Promise<void> {
    while (!isTrue(this)) {
      if (this.response.destroyed) throw new Error('the stream has ended')
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#onChange = resolve
      await promise
    }
  }

  /** Resolves when the answer has ended. */
  async untilClosed(): Promise<void> {
    if (this.response.destroyed) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.response.once('close', resolve)
    await promise
  }
}

/** Sends the request for a stream, and resolves with the answer, whatever its status. */
export async function requestStream(
  t: Test,
  url: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const request = get(url, { headers, agent: false })
  request.on('error', () => {})
  t.teardown(() => request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage] // as Node.js documents this event
  return response
}

/** Opens a stream with a key of `acme`; resolves when it has begun. */
export async function follow(
  t: Test,
  url: string,
  key: string | null,
  more: Record<string, string> = {},
): Promise<Followed> {
  const headers = { ...(key !== null && { authorization: basic('acme', key) }), ...more }
  const response = await requestStream(t, url, headers)
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
  const stream = new Followed(response)
  await stream.until(({ ids }) => ids.length > 0)
  return stream
}

/** Moves the head of a repository of `acme` to these snapshots, one after the other. */
export async function moveHeads(db: Database, repo: string, heads: readonly string[], padding = ''): Promise<void> {
  const repoId = await rememberRepository(db, 'acme', repo, new Date())
  for (const snapshotId of heads) {
    const previous = await readHead(db, repoId, 'main')
    const event = { payload: JSON.stringify({ to: snapshotId, padding }), line: snapshotId }
    await recordHeadMove(db, { repoId, branch: 'main', previous, snapshotId, commit, event }, new Date())
  }
}
