// Opens files and directories of a local repository, and ensures that they are inside its directory. Anyone who can
// write to the repository can create symbolic links, and can replace a directory by a link at any moment. So each file
// is checked twice. The check of the path, before it is opened, prevents that a device elsewhere is opened. The check
// of the opened file is the one that counts.
import { constants, type BigIntStats, type Dir } from 'node:fs'
import { open, opendir, readlink, realpath, stat } from 'node:fs/promises'
import { sep } from 'node:path'

/** An open file, reduced to what is used here. */
export type OpenFile = {
  readonly fd: number
  readonly stat: (options: { readonly bigint: true }) => Promise<BigIntStats>
  readonly read: (to: Uint8Array, at: number, length: number, from: number) => Promise<{ readonly bytesRead: number }>
  readonly close: () => Promise<void>
}

/** The functions of the file system that are used here. */
export type FileSystem = {
  readonly open: (path: string, flags: number) => Promise<OpenFile>
  readonly opendir: (path: string) => Promise<Dir>
  readonly readlink: (path: string) => Promise<string>
  readonly realpath: (path: string) => Promise<string>
  readonly stat: (path: string) => Promise<BigIntStats>
}

/** The functions of Node.js. Tests replace some of them, to change files between two calls. */
export const systemFiles: FileSystem = {
  open: (path, flags) => open(path, flags),
  opendir: (path) => opendir(path),
  readlink: (path) => readlink(path),
  realpath: (path) => realpath(path),
  stat: (path) => stat(path, { bigint: true }),
}

/** A path is outside of the directory that must contain it. */
export class OutsideError extends Error {
  override name = 'OutsideError'
}

/** Maximum number of attempts to open a file, which another program may replace meanwhile. */
const maxAttempts = 3

/** Resolves the symbolic links of a path. Throws {@link OutsideError} if it leads out of `root`, which has none. */
export async function resolveInside(files: FileSystem, root: string, path: string): Promise<string> {
  return requireInside(root, await files.realpath(path))
}

/**
 * Opens a file inside `root`. Throws like {@link resolveInside}, and the system's error when the file cannot be opened.
 */
export async function openFileInside(files: FileSystem, root: string, path: string): Promise<OpenFile> {
  // Without O_NONBLOCK, opening a named pipe would wait forever for a writer.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const file = await openInside(files, root, path, flags)
    if (file !== undefined) return file
  }
  throw new OutsideError(path)
}

/** Opens a directory inside `root` for listing. Throws like {@link openFileInside}. */
export async function openDirectoryInside(files: FileSystem, root: string, path: string): Promise<Dir> {
  const handle = await openInside(files, root, path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  if (handle === undefined) throw new OutsideError(path)
  try {
    const hasProc = (await findOpenedPath(files, handle)) !== undefined
    return await files.opendir(hasProc ? linkToOpened(handle) : await resolveInside(files, root, path))
  } finally {
    await handle.close()
  }
}

async function openInside(files: FileSystem, root: string, path: string, flags: number): Promise<OpenFile | undefined> {
  const handle = await files.open(await resolveInside(files, root, path), flags)
  let isInside = false
  try {
    isInside = await checkOpened(files, root, path, handle)
  } finally {
    if (!isInside) await handle.close()
  }
  return isInside ? handle : undefined
}

/** Whether the opened file is inside. False when that is unknown, because another program has replaced the file. */
async function checkOpened(files: FileSystem, root: string, path: string, handle: OpenFile): Promise<boolean> {
  const openedPath = await findOpenedPath(files, handle)
  if (openedPath !== undefined) {
    requireInside(root, openedPath)
    return true
  }
  const [opened, current] = await Promise.all([
    handle.stat({ bigint: true }),
    resolveInside(files, root, path).then((real) => files.stat(real)),
  ])
  return opened.dev === current.dev && opened.ino === current.ino
}

/** The path of an open file, without symbolic links. Undefined except on Linux. */
async function findOpenedPath(files: FileSystem, handle: OpenFile): Promise<string | undefined> {
  return files.readlink(linkToOpened(handle)).catch(() => undefined)
}

/** On Linux, a symbolic link to an open file. */
function linkToOpened({ fd }: OpenFile): string {
  return `/proc/self/fd/${fd}`
}

function requireInside(root: string, path: string): string {
  if (path !== root && !path.startsWith(root.endsWith(sep) ? root : root + sep)) throw new OutsideError(path)
  return path
}
