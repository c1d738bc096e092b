#!/usr/bin/env node
// Starts the built program. Node keeps what it has compiled beside it, so that later starts are shorter.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`floe: Node.js 22.19 or newer is needed, and this is ${process.versions.node}`)
  process.exit(1)
}

const compiled = fileURLToPath(new URL('../dist/compiled', import.meta.url))
module.enableCompileCache(compiled)
// For the threads, which start with the variables of the process.
process.env.NODE_COMPILE_CACHE ??= compiled
await import('../dist/program/floe.js')
