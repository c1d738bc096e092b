#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8
// Starts the built program. The first line saves memory: without it, V8 keeps up to 64 MB in each thread for objects that were just made,
// and glibc keeps freed memory apart for each thread. Node keeps what it has compiled beside the program, so that later starts are shorter.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const compiled = fileURLToPath(new URL('../dist/compiled', import.meta.url))
enableCompileCache(compiled)
// For the threads, which start with the variables of the process.
process.env.NODE_COMPILE_CACHE ??= compiled
await import('../dist/floe.js')
