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

process.on('exit', () => process.stderr.write(`${[...packages].join(' ')}\n`))
