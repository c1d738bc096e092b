// Opens files and directories of a local repository, and ensures that they are inside its directory. Anyone who can write to the repository
// can create symbolic links, and can replace a directory by a link at any moment. So the path is checked before it is opened, so that no
// device elsewhere is opened, and the opened file is checked again, which is decisive.
import { constants, type Dir } from 'node:fs'
import { type FileHandle, open, opendir, readlink, realpath, stat } from 'node:fs/promises'
import { sep } from 'node:path'

/** The functions of the file system. Tests replace them, to change files between two calls. */
export const systemFiles = {
  open: (path: string, flags: number) => open(path, flags),
  opendir: (path: string) => opendir(path),
  readlink: (path: string) => readlink(path),
  realpath: (path: string) => realpath(path),
  stat: (path: string) => stat(path, { bigint: true }),
}

export type FileSystem = Readonly<typeof systemFiles>

/** A path is outside of the directory that must contain it. */
export class OutsideError extends Error {
  override name = 'OutsideError'
}

/** Maximum number of attempts to open a file, which another program may replace meanwhile. */
const maxAttempts = 3

/** Resolves the symbolic links of a path. `root` has none. Throws {@link OutsideError} when the path is neither `root` nor inside it. */
export async function resolveInside(files: FileSystem, root: string, path: string): Promise<string> {
  return requireInside(root, await files.realpath(path))
}

/** Opens a file inside `root`. Throws like {@link resolveInside}, and the system's error when the file cannot be opened. */
export async function openFileInside(files: FileSystem, root: string, path: string): Promise<FileHandle> {
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
    const isShown = (await findOpened(files, handle)) !== undefined
    return await files.opendir(isShown ? showOpened(handle) : await resolveInside(files, root, path))
  } finally {
    await handle.close()
  }
}

async function openInside(
  files: FileSystem,
  root: string,
  path: string,
  flags: number,
): Promise<FileHandle | undefined> {
  const handle = await files.open(await resolveInside(files, root, path), flags)
  let isInside = false
  try {
    isInside = await checkOpened(files, root, path, handle)
  } finally {
    if (!isInside) await handle.close()
  }
  return isInside ? handle : undefined
}

/** Whether the opened file is inside; false when that is unknown, because another program replaced it meanwhile. */
async function checkOpened(files: FileSystem, root: string, path: string, handle: FileHandle): Promise<boolean> {
  const opened = await findOpened(files, handle)
  if (opened !== undefined) {
    requireInside(root, opened)
    return true
  }
  const [held, found] = await Promise.all([
    handle.stat({ bigint: true }),
    resolveInside(files, root, path).then((real) => files.stat(real)),
  ])
  return held.dev === found.dev && held.ino === found.ino
}

/** The path of an open file, without symbolic links. Undefined except on Linux. */
async function findOpened(files: FileSystem, handle: FileHandle): Promise<string | undefined> {
  return files.readlink(showOpened(handle)).catch(() => undefined)
}

function showOpened({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`
}

function requireInside(root: string, path: string): string {
  if (path !== root && !path.startsWith(root.endsWith(sep) ? root : root + sep)) throw new OutsideError(path)
  return path
}
