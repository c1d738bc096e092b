// Preloaded into a process: when it ends, prints the packages and the files of the built program that were loaded, on the last line of
// standard error.
import { registerHooks } from 'node:module'

const packages = new Set()

registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /.*\/(?:node_modules|dist\/program)\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
    if (name !== undefined) packages.add(name)
    return nextLoad(url, context)
  },
})

/** The library behind `fetch`. Node.js loads it as soon as something reads `fetch`, `WebSocket` or their like. */
const ofFetch = 'NativeModule internal/deps/undici/undici'

process.on('exit', () => {
  if (process.moduleLoadList.includes(ofFetch)) packages.add('fetch')
  process.stderr.write(`${[...packages].join(' ')}\n`)
})
