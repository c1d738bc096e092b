// tap records which modules each process loads, and parses their source maps: 0.4 s for each file of tests and each process that one
// starts. Only `--changed` and coverage need that. .taprc loads this file by --require, so that it comes before tap's recorder.
if (process.env['_TAPJS_PROCESSINFO_COVERAGE_'] !== '1') {
  process.env['_TAPJS_PROCESSINFO_EXCLUDE_'] = '/./'
  delete process.env['NODE_OPTIONS']
}
