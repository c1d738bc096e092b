// Preloaded into a process: when the process ends, prints the names of the packages that were loaded, on the last line of standard error.
import { registerHooks } from 'node:module'

const packages = new Set()

registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
    if (name !== undefined) packages.add(name)
    return nextLoad(url, context)
  },
})

process.on('exit', () => process.stderr.write(`${[...packages].join(' ')}\n`))
