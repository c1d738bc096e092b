import { DatasetDict, DatasetInfo, DatasetKeys, type ViewName } from '@floe/contract'
import type { Repository, SnapshotId } from '@floe/storage/icechunk'
import { LRUCache } from 'lru-cache'
import { makeKeptBytes, makeKeptBody } from '../http/kept-bodies.ts'
import { readGroupDocuments } from '../repositories/group-documents.ts'
import type { RepositoryReading } from '../repositories/reading.ts'
import { renderDict, renderInfo, renderKeys } from './views.ts'
import { decodeGroup } from '../xarray/decode-group.ts'

const views = {
  info: { schema: DatasetInfo, render: renderInfo },
  keys: { schema: DatasetKeys, render: renderKeys },
  dict: { schema: DatasetDict, render: renderDict },
} as const satisfies Record<ViewName, object>

/** Memory of a parsed body, in bytes per character of its text; measured with 280 variables. */
const bytesPerCharacter = 6

/** Builds the bodies of datasets and caches them: one per snapshot, group and view, checked against the contract. */
export class Representations {
  readonly #reading: RepositoryReading
  readonly #bodies: LRUCache<string, object>

  constructor(reading: RepositoryReading, maxBytes: number) {
    this.#reading = reading
    this.#bodies = new LRUCache({ maxSize: maxBytes })
  }

  /** Builds a view of one group of a snapshot. */
  async buildView<View extends ViewName>(
    view: View,
    repository: Repository,
    snapshotId: SnapshotId,
    group: string,
  ): Promise<BodyOf<View>> {
    const key = JSON.stringify([view, snapshotId, repository.location, group])
    // The key has the view, so the cached body is of this view.
    const known = this.#bodies.get(key) as BodyOf<View> | undefined
    if (known) return known
    const snapshot = await this.#reading.readSnapshot(repository, snapshotId)
    const documents = readGroupDocuments(snapshot, group)
    const { schema, render } = views[view]
    const text = render(decodeGroup(documents.group, documents.members))
    const body = makeKeptBody(schema, text)
    this.#keep(key, body, text.length * bytesPerCharacter)
    return body as BodyOf<View> // schema and render belong to one view
  }

  /** Builds the bytes of a page. `tag` is its entity tag, which covers everything that the page shows. */
  async buildPage(tag: string, build: () => Promise<string>): Promise<Buffer> {
    const key = JSON.stringify(['page', tag])
    const known = this.#bodies.get(key)
    if (known instanceof Buffer) return known
    const bytes = makeKeptBytes(await build())
    this.#keep(key, bytes, bytes.length)
    return bytes
  }

  #keep(key: string, body: object, size: number): void {
    this.#bodies.set(key, body, { size: key.length + size })
  }
}

type BodyOf<View extends ViewName> = ReturnType<(typeof views)[View]['schema']['parse']>
