import { closeSync, fstatSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs'
import { type FileSystem, type OpenFile, systemFiles } from './open-inside.ts'

/**
 * The file system with calls that block. They take a fraction of the processor time of asynchronous calls, and suit a
 * thread that has nothing else to do while it waits.
 */
export const blockingFiles: FileSystem = {
  ...systemFiles,
  open: async (path, flags) => openFile(openSync(path, flags)),
  readlink: async (path) => readlinkSync(path),
  realpath: async (path) => realpathSync.native(path),
  stat: async (path) => statSync(path, { bigint: true }),
}

function openFile(fd: number): OpenFile {
  return {
    fd,
    stat: async (options) => fstatSync(fd, options),
    read: async (to, at, length, from) => ({ bytesRead: readSync(fd, to, at, length, from) }),
    close: async () => closeSync(fd),
  }
}
