// `npm run bench|compare|crash|simulate|fixtures`: starts one program of a folder and passes it the arguments after its
// name. Python programs run as modules below scripts/, with the Python in FLOE_TEST_PYTHON or `python3`.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const programs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bench: {
    '': 'bench/benchmarks.ts',
    scale: 'bench/scale/scale.ts',
    deliveries: 'bench/deliveries/rates.ts',
    'stored-bytes': 'bench/deliveries/stored-bytes.ts',
    deletion: 'bench/deliveries/deletion.ts',
    'fan-out': 'bench/deliveries/fan-out.ts',
    'good-heads': 'bench/good-heads.ts',
    guard: 'bench/guard.ts',
    compatibility: 'bench.compatibility',
    types: 'bench/types.ts',
    search: 'bench/search.ts',
    'search-lag': 'bench.search_lag',
    'written-chunks': 'bench/written-chunks.ts',
    'slow-receivers': 'bench/deliveries/slow-receivers.ts',
  },
  crash: { '': 'crash/crash.ts' },
  simulate: { '': 'simulate/simulate.ts', mutations: 'simulate/try-mutations.ts' },
  compare: {
    xarray: 'compare.with_xarray',
    icechunk: 'compare.with_icechunk',
    search: 'compare.search',
    relevance: 'compare.relevance',
    histories: 'compare.histories',
    diffs: 'compare.changes.diffs',
    'path-history': 'compare.changes.path_history',
    compatibility: 'compare.changes.compatibility',
    completeness: 'compare.completeness',
    gaps: 'compare.gaps',
    extents: 'compare.extents',
    open: 'compare.open',
    replaced: 'compare.changes.replaced_nodes',
    notifications: 'compare.notifications',
    'object-stores': 'compare.object_stores',
    catalogues: 'compare.catalogues',
    schemathesis: 'compare.openapi.schemathesis_run',
    generators: 'compare.openapi.generators',
  },
}

function start(program: string, args: readonly string[]): void {
  const scripts = fileURLToPath(new URL('.', import.meta.url))
  const isPython = !program.endsWith('.ts')
  const child = spawn(
    isPython ? (process.env['FLOE_TEST_PYTHON'] ?? 'python3') : process.execPath,
    isPython ? ['-m', program, ...args] : [...process.execArgv, scripts + program, ...args],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: isPython ? { ...process.env, PYTHONPATH: scripts } : process.env,
      stdio: 'inherit',
    },
  )
  child.on('error', (error) => {
    console.error(`${program} cannot be started: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code) => (process.exitCode = code ?? 1))
  // The terminal also sends Ctrl-C to the child; this process waits for the child's end.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
}

const [folder = '', ...args] = process.argv.slice(2)
if (folder === 'fixtures') start('fixtures', args)
else {
  // Without a name, the options belong to the first program.
  const [name = '', ...rest] = args[0]?.startsWith('-') ? ['', ...args] : args
  const program = programs[folder]?.[name]
  if (program !== undefined) start(program, rest)
  else {
    console.error(`usage: npm run ${folder} -- ${Object.keys(programs[folder] ?? {}).join('|')} [OPTIONS]`)
    process.exitCode = 1
  }
}
