// A repository of official Icechunk with full manifests and others, and what is asked about it.
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Gaps } from '@floe/contract'
import { openRepository, type SnapshotId } from '@floe/storage/icechunk'
import type { ReadOptions, ReadResult } from '@floe/storage/objects'
import { z } from 'zod'
import type { Question } from '../../../../server/reading/questions/question.ts'
import type { AskedRepository, ReaderPool } from '../../../../server/reading/threads/reader-pool.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { signal } from '../threads/open-pool.ts'

const fixture = new URL('../../../fixtures/manifests/', import.meta.url).pathname

/** The positions of chunks by snapshot, array and kind, as official Icechunk lists them. */
const Expected = z.record(
  z.string(),
  z.record(z.string(), z.record(z.string(), z.record(z.string(), z.array(z.unknown())))),
)

/** The question of these tests. */
export const gaps = { kind: 'gaps', group: '' } as const satisfies Question<'gaps'>

/** Another question, which needs the same manifests. */
export const gapsAlong = { ...gaps, along: 'dim_0' } as const

/** The arrays whose manifests the snapshot does not describe as full. */
const incomplete = ['mixed', 'sparse', 'split', 'virtual']

/** How many manifests must be read: one of each of these arrays. */
export const neededManifests = incomplete.length

/** A store whose manifests are read when the test says so, and in its way. */
export class ManifestStore extends MemoryStore {
  /** Called before each read of a manifest. */
  beforeManifest: (options: ReadOptions) => Promise<void> | void = () => undefined

  override async read(key: string, options: ReadOptions): Promise<ReadResult> {
    const result = super.read(key, options)
    if (key.startsWith('manifests/')) await this.beforeManifest(options)
    return result
  }

  /** The manifests that were read, in order. */
  get manifestReads(): readonly string[] {
    return this.asked.filter((key) => key.startsWith('manifests/'))
  }
}

/** Reads the objects of the fixture. */
export async function readObjects(version: 'v1' | 'v2'): Promise<Map<string, Uint8Array>> {
  return readDirectory(join(fixture, version))
}

async function readDirectory(root: string): Promise<Map<string, Uint8Array>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const keys = entries.filter((entry) => entry.isFile()).map((file) => relative(root, join(file.parentPath, file.name)))
  return new Map(
    await Promise.all(keys.map(async (key) => [key, new Uint8Array(await readFile(join(root, key)))] as const)),
  )
}

export type OpenedManifests = AskedRepository & {
  readonly store: ManifestStore
  readonly snapshotId: SnapshotId
  /** How many chunks of each array official Icechunk lists. */
  readonly written: Readonly<Record<string, number>>
}

/** Opens a copy of the repository. */
export async function openManifests(version: 'v1' | 'v2' = 'v2', org = 'acme'): Promise<OpenedManifests> {
  const store = new ManifestStore(await readObjects(version))
  const repository = openRepository(store)
  const { snapshotId } = await repository.resolve('main', signal)
  const expected = Expected.parse(JSON.parse(await readFile(`${fixture}expected.json`, 'utf8')))
  const arrays = Object.entries(expected[version]?.[snapshotId] ?? {})
  const written = Object.fromEntries(arrays.map(([path, kinds]) => [path, Object.values(kinds).flat().length]))
  store.asked.length = 0
  return { org, repository, store, snapshotId, written }
}

/** Opens a copy of an archive of forecast runs, whose transaction logs say which chunks changed. */
export async function openArchive(): Promise<AskedRepository & { readonly store: ManifestStore }> {
  const store = new ManifestStore(await readDirectory(new URL('../forecast-runs/', `file://${fixture}`).pathname))
  return { org: 'acme', repository: openRepository(store), store }
}

/** Asks how many chunks of each array are written, or why that is unknown. */
export async function countWritten(
  pool: Pick<ReaderPool, 'ask'>,
  { snapshotId, ...asked }: OpenedManifests,
  question: Question<'gaps'> = gaps,
  caller: AbortSignal = signal,
): Promise<Record<string, unknown>> {
  return readWritten(await pool.ask(asked, snapshotId, question, caller))
}

export function readWritten(body: Buffer): Record<string, unknown> {
  const { arrays } = Gaps.parse(JSON.parse(body.toString()))
  return Object.fromEntries(arrays.map(({ path, chunks, reason }) => [path, chunks?.written ?? reason]))
}
