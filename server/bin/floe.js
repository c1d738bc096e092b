#!/usr/bin/env node
// Starts the built program. Node keeps what it has compiled beside it, so that later starts are shorter.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`floe: Node.js 22.19 or newer is needed, and this is ${process.versions.node}`)
  process.exit(1)
}

// V8 keeps up to 64 MB in each thread for objects that were just made, and glibc keeps freed memory apart for each thread. Only the start
// of a process can change both. The first line cannot do it: pnpm reads no variables in it, and the `env` of BusyBox has no -S. The process
// becomes the new one, so its id and its input and output stay the same. Windows cannot do so.
const saving = '--max-semi-space-size=8'
const isLongLived = process.argv[2] === 'serve' || process.argv[2] === 'mcp'
if (isLongLived && !process.execArgv.includes(saving) && process.platform !== 'win32') {
  const args = [process.execPath, ...process.execArgv, saving, ...process.argv.slice(1)]
  process.execve(process.execPath, args, { MALLOC_ARENA_MAX: '2', ...process.env })
}

const compiled = fileURLToPath(new URL('../dist/compiled', import.meta.url))
module.enableCompileCache(compiled)
// For the threads, which start with the variables of the process.
process.env.NODE_COMPILE_CACHE ??= compiled
await import('../dist/floe.js')
