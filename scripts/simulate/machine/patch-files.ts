// Files: asynchronous calls take time of the machine and then read the real file system, which nothing else changes.
// Processes are those of the machine.
import fs from 'node:fs'
import os from 'node:os'
import { EventEmitter } from 'node:events'
import { basename, relative, resolve } from 'node:path'
import { machine, type Owner } from './machine.ts'

type Listener = (event: 'rename' | 'change', file: string | null) => void

/** A function of the file system. All take a path first; what they return is for those who call them. */
type FileFunction = (path: string, ...rest: readonly never[]) => unknown

/** What can happen to a call: its delay in milliseconds, or its failure. */
export type FileFate = { readonly ms: number; readonly code?: string }

/** How long calls take, in milliseconds: few of them wait for a disk or a network. */
export function chooseFileMs(): number {
  const { random } = machine
  return random.chance(0.1) ? random.between(0.6, 30) : random.between(0.02, 0.6)
}

/** Decides about the calls of processes; trouble makes them slow, or lets them fail. */
export const fileFates = { decide: (_path: string): FileFate => ({ ms: chooseFileMs() }) }

/** Who watches which directory. */
const watchers = new Map<string, Set<{ readonly owner: Owner; readonly listener: Listener }>>()

/** Tells the processes that watch a directory that a file in it was replaced. */
export function reportChange(directory: string, file: string, ms: () => number | undefined): void {
  for (const { owner, listener } of watchers.get(resolve(directory)) ?? []) {
    const delay = ms()
    if (delay !== undefined) machine.plan(delay, 'hears of a change', () => listener('rename', file), { owner })
  }
}

/** Files that describe the machine. */
const machineFiles: Readonly<Record<string, string>> = {
  '/etc/hosts': '127.0.0.1 localhost\n',
  '/etc/resolv.conf': 'nameserver 192.0.2.53\n',
}

/** Replaces the file system. */
export function patchFiles(): void {
  const { readFileSync, readlinkSync } = fs
  const asynchronous = fs.promises
  const real = { ...asynchronous }
  const readMachineFile = (path: unknown): string | undefined => {
    if (typeof path !== 'string') return undefined
    const pid = /^\/proc\/(\d+)\/stat$/.exec(path)?.[1]
    if (path === '/proc/sys/kernel/random/boot_id') return `${machine.computer.bootId}\n`
    return pid === undefined ? machineFiles[path] : describeProcess(Number(pid))
  }
  const delayed = (name: string, real: FileFunction, call: FileFunction): FileFunction => {
    return async (path, ...rest) => {
      if (machine.owner === undefined || !machine.isRunning) return real(path, ...rest)
      const { ms, code } = fileFates.decide(path)
      await machine.wait(ms, `file ${name}`, showPath(path))
      if (code !== undefined) throw systemError(code, name, path)
      return call(path, ...rest)
    }
  }
  const readNow = (path: string, options: undefined) => readMachineFile(path) ?? readFileSync(path, options)
  Object.assign(asynchronous, {
    readFile: delayed('read', real.readFile, readNow),
    stat: delayed('stat', real.stat, fs.statSync),
    lstat: delayed('stat', real.lstat, fs.lstatSync),
    realpath: delayed('resolve', real.realpath, fs.realpathSync.native),
    readlink: delayed('resolve', real.readlink, readlinkSync),
    readdir: delayed('list', real.readdir, fs.readdirSync),
    access: delayed('stat', real.access, fs.accessSync),
    open: delayed('open', real.open, openFile),
    opendir: delayed('list', real.opendir, listDirectory),
  })
  Object.assign(fs, {
    readFileSync: readNow,
    readlinkSync: (path: string, options: undefined) =>
      path === '/proc/self/ns/pid' ? 'pid:[1]' : readlinkSync(path, options),
    watch: (path: string, _options: unknown, listener: Listener) => watchDirectory(path, listener),
  })
  patchProcess()
}

function patchProcess(): void {
  Object.assign(os, { hostname: () => machine.computer.name })
  Object.defineProperty(process, 'pid', { get: () => machine.owner?.pid ?? 1 })
  const { write } = fs
  // Lines of the log, which pino writes to standard error.
  const writeLine = (fd: number, text: string, ...rest: readonly unknown[]) => {
    const { owner } = machine
    if (fd !== 2 || owner === undefined || !machine.isRunning) return Reflect.apply(write, fs, [fd, text, ...rest])
    const callback = rest.at(-1) as (error: Error | null, written: number) => void // as in all forms of `fs.write`
    machine.plan(0, 'turn', () => callback(null, Buffer.byteLength(text)))
    for (const line of text.split('\n')) if (line !== '') logLines.note(owner, line)
  }
  Object.assign(fs, { write: writeLine })
}

/** The part of a path that is the same in each run. */
function showPath(path: string): string | undefined {
  const start = `${process.cwd()}/`
  return path.startsWith(start) ? path.slice(start.length) : undefined
}

/** Gets each line that a process logs. */
export const logLines = { note: (_owner: Owner, _line: string) => {} }

/** The line of `/proc/PID/stat`. Names of programs can contain brackets and spaces. */
function describeProcess(pid: number): string {
  const owner = machine.processes.get(pid)
  if (owner?.computer !== machine.computer) throw systemError('ENOENT', 'open', `/proc/${pid}/stat`)
  // Ended processes stay as zombies, because no parent reads their exit status.
  return `${pid} (floe (sim)) ${owner.isAlive ? 'S' : 'Z'} 1 ${'0 '.repeat(17)}${pid * 10} 0`
}

function watchDirectory(path: string, listener: Listener) {
  const { owner } = machine
  const watcher = Object.assign(new EventEmitter(), { close: () => {}, ref: () => watcher, unref: () => watcher })
  if (owner === undefined) return watcher
  const watching = { owner, listener }
  const all = watchers.get(path) ?? new Set()
  watchers.set(path, all.add(watching))
  watcher.close = () => void all.delete(watching)
  owner.atEnd.add(watcher.close)
  return watcher
}

function openFile(path: string, flags: number) {
  const name = basename(path)
  const fd = fs.openSync(path, flags)
  let isOpen = true
  const closeSync = () => {
    if (isOpen) fs.closeSync(fd)
    isOpen = false
    owner?.atEnd.delete(closeSync)
  }
  const { owner } = machine
  owner?.atEnd.add(closeSync)
  return {
    fd,
    stat: async (options: fs.BigIntOptions) => fs.fstatSync(fd, options),
    read: async (to: Uint8Array, at: number, length: number, from: number) => {
      await machine.wait(fileFates.decide('').ms, 'file read')
      const bytesRead = fs.readSync(fd, to, at, length, from)
      if (owner !== undefined) machine.onStep(owner, `after read of ${name}`, path)
      return { bytesRead, buffer: to }
    },
    close: async () => closeSync(),
  }
}

function listDirectory(path: string) {
  const entries = fs.readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    async *[Symbol.asyncIterator]() {
      yield* entries
    },
  }
}

function systemError(code: string, syscall: string, path: string): Error {
  return Object.assign(new Error(`${code}: simulated, ${syscall} '${relative('', path)}'`), {
    code,
    syscall,
    path,
    errno: -1,
  })
}
