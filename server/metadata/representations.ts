// The bodies of datasets: built, checked against the contract and serialised once per snapshot, group and view.
import { DatasetDict, DatasetInfo, DatasetKeys } from '@floe/contract'
import type { Repository, ResolvedRef } from '@floe/storage/icechunk'
import { LRUCache } from 'lru-cache'
import { serializedBody } from '../serialized-bodies.ts'
import { openGroup } from './opened-group.ts'
import type { RepositoryReading } from './reading.ts'
import { renderDict } from './views/dict.ts'
import { renderInfo } from './views/info.ts'
import { renderKeys } from './views/keys.ts'
import { decodeGroup } from './xarray/decode-group.ts'

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

  /** A view of one group; what it was made of is named by `key`, which must differ wherever the body could. */
  async view<View extends ViewName>(
    view: View,
    repository: Repository,
    resolved: ResolvedRef,
    group: string,
  ): Promise<BodyOf<View>> {
    const key = JSON.stringify([resolved.snapshotId, repository.location, view, group])
    // What is stored under a key was made by the same view.
    const known = this.#bodies.get(key) as BodyOf<View> | undefined
    if (known) return known
    const snapshot = await this.#reading.snapshot(repository, resolved)
    const opened = openGroup(snapshot, group)
    const { schema, render } = views[view]
    const text = render(decodeGroup(opened.group, opened.members))
    const body = serializedBody(schema, text)
    if (snapshot.id === resolved.snapshotId)
      this.#bodies.set(key, body, { size: key.length + text.length * bytesPerCharacter })
    return body as BodyOf<View> // schema and render belong to one view
  }
}

type BodyOf<View extends ViewName> = ReturnType<(typeof views)[View]['schema']['parse']>
