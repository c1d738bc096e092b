// One PGlite per test file. Making PGlite's cluster takes seconds, so the first file keeps a copy, which the others
// load.
import { mkdir, mkdtempDisposable, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import type { Test } from 'tap'
import { z } from 'zod'

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/pglite/', import.meta.url))

let opened: Promise<PGlite> | undefined

/**
 * The instance of this test file. It is closed when `t`, the file's root test, ends: open, it keeps the process alive.
 */
export function openPGlite(t: Test): Promise<PGlite> {
  return (opened ??= (async () => {
    const instance = await PGlite.create({ loadDataDir: await readCopy() })
    t.teardown(() => instance.close())
    return instance
  })())
}

/** Reads the files of an empty database, from which instances are made. */
export async function readCopy(): Promise<Blob> {
  const copy = join(cache, `${await readVersion()}.tar`)
  return new Blob([await readFile(copy).catch(() => makeCopy(copy))])
}

async function makeCopy(copy: string): Promise<Uint8Array<ArrayBuffer>> {
  const instance = await PGlite.create()
  const data = new Uint8Array(await (await instance.dumpDataDir('none')).arrayBuffer())
  await instance.close()
  // Test files run in several processes; a file that is renamed is always whole.
  await mkdir(cache, { recursive: true })
  await using directory = await mkdtempDisposable(join(cache, 'unfinished-'))
  const unfinished = join(directory.path, 'copy.tar')
  await writeFile(unfinished, data)
  await rename(unfinished, copy)
  return data
}

async function readVersion(): Promise<string> {
  const description = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(description, 'utf8'))).version
}
