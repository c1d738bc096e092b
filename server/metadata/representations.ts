// The bodies of datasets: built, checked against the contract and serialised once per snapshot, group and view.
import { DatasetDict, DatasetInfo, DatasetKeys } from '@floe/contract'
import type { Repository, SnapshotId } from '@floe/storage/icechunk'
import { LRUCache } from 'lru-cache'
import { keptBytes, serializedBody } from '../http/kept-bodies.ts'
import { readGroupDocuments } from '../repositories/group-documents.ts'
import type { RepositoryReading } from '../repositories/reading.ts'
import { renderDict, renderInfo, renderKeys } from './views.ts'
import { decodeGroup } from '../xarray/decode-group.ts'

const views = {
  info: { schema: DatasetInfo, render: renderInfo },
  keys: { schema: DatasetKeys, render: renderKeys },
  dict: { schema: DatasetDict, render: renderDict },
} as const

/** The JSON views of a dataset. */
export type ViewName = keyof typeof views

/** Parsed bodies take a multiple of their text; measured on 280 variables. */
const bytesPerCharacter = 6

/** See the head of this file. */
export class Representations {
  readonly #reading: RepositoryReading
  readonly #bodies: LRUCache<string, object>

  constructor(reading: RepositoryReading, maxBytes: number) {
    this.#reading = reading
    this.#bodies = new LRUCache({ maxSize: maxBytes })
  }

  /** A view of one group of a snapshot. */
  async view<View extends ViewName>(
    view: View,
    repository: Repository,
    snapshotId: SnapshotId,
    group: string,
  ): Promise<BodyOf<View>> {
    const key = JSON.stringify([view, snapshotId, repository.location, group])
    // What is kept under a key was made by the same view.
    const known = this.#bodies.get(key) as BodyOf<View> | undefined
    if (known) return known
    const snapshot = await this.#reading.snapshot(repository, snapshotId)
    const documents = readGroupDocuments(snapshot, group)
    const { schema, render } = views[view]
    const text = render(decodeGroup(documents.group, documents.members))
    const body = serializedBody(schema, text)
    this.#keep(key, body, text.length * bytesPerCharacter)
    return body as BodyOf<View> // schema and render belong to one view
  }

  /** A page, as the bytes to send. `tag` is its entity tag, which stands for all that it shows. */
  async page(tag: string, build: () => Promise<string>): Promise<Buffer> {
    const key = JSON.stringify(['page', tag])
    const known = this.#bodies.get(key)
    if (known instanceof Buffer) return known
    const bytes = keptBytes(await build())
    this.#keep(key, bytes, bytes.length)
    return bytes
  }

  #keep(key: string, body: object, size: number): void {
    this.#bodies.set(key, body, { size: key.length + size })
  }
}

type BodyOf<View extends ViewName> = ReturnType<(typeof views)[View]['schema']['parse']>
