// A repository of version 1 of the format, written by official Icechunk, whose branches and tags a test moves.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openLocalStore } from '@floe/storage/objects'
import type { Test } from 'tap'

const fixtures = new URL('../../fixtures/', import.meta.url).pathname

type Ref = `branch.${string}` | `tag.${string}`

/**
 * A source with the repository `sea`. Its commits are the tags `s0` to `s4`, one after the other; `main` is at `s0`,
 * `other` at a commit of its own. Another history has its own tags.
 */
export async function openMovableRefs(t: Test, { history: name = 'changes/v1', first = 's0' } = {}) {
  const history = join(fixtures, name)
  const directory = t.testdir()
  await cp(history, join(directory, 'sea'), { recursive: true })
  const fileOf = (ref: Ref) => join(directory, 'sea/refs', ref, 'ref.json')
  const point = async (ref: Ref, commit: string) => {
    await mkdir(join(fileOf(ref), '..'), { recursive: true })
    await writeFile(fileOf(ref), await readFile(join(history, 'refs', `tag.${commit}`, 'ref.json')))
  }
  await point('branch.main', first)
  return {
    source: { kind: 'scan' as const, store: openLocalStore(directory) },
    /** Makes a branch or tag name a commit. */
    point,
    remove: (ref: Ref) => rm(join(fileOf(ref), '..'), { recursive: true }),
  }
}
