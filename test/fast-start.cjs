// Runs in the process of each test file, and in its threads, before everything else: .taprc loads it by --require, so that it comes
// before tap's recorder. JavaScript, so that also the first TypeScript comes from the cache, without types: the program that removes
// them takes 0.07 s to load.
const { enableCompileCache } = require('node:module')
const path = require('node:path')

// Each file is a process of its own that loads the same modules. Node keys its cache by their content. The variable is for the
// processes that tests start.
const compiled = path.join(__dirname, '../node_modules/.cache/compiled')
enableCompileCache(compiled)
process.env['NODE_COMPILE_CACHE'] = compiled

// tap records which modules each process loads, and parses their source maps: 0.4 s for each file of tests and each process that one
// starts. Only `--changed` and coverage need that.
if (process.env['_TAPJS_PROCESSINFO_COVERAGE_'] !== '1') {
  process.env['_TAPJS_PROCESSINFO_EXCLUDE_'] = '/./'
  delete process.env['NODE_OPTIONS']
}
