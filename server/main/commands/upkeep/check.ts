// `floe check`: checks whether a service could start and work. Changes nothing.
import type { OpenedIssuer } from '../../../issuers/token-checker.ts'
import { findMistakes } from '../../configuration/find-mistakes.ts'
import { listDeclaredKeys } from '../../configuration/declared-keys.ts'
import { findKeyFile, openSecretBox } from '../../configuration/open-secret-box.ts'
import { readReceiverCertificates } from '../../configuration/read-certificates.ts'
import { readProxy } from '../../configuration/read-proxy.ts'
import type { Config } from '../../configuration/schema.ts'
import { openIssuers } from '../../open-tokens.ts'
import { type CommandLine, FailedChecksError, UsageError } from '../command.ts'
import { readServiceConfig } from '../access/read-service-config.ts'
import { escapeControls, showProgress, type Terminal } from '../terminal.ts'
import { checkDatabase } from './check-database.ts'
import { checkIssuers } from './check-issuers.ts'
import { noteUnlinked, noteUntold } from './check-expectations.ts'
import { ProxyCheck } from './check-proxy.ts'
import { checkReceivers } from './check-receivers.ts'
import { checkRepositories } from './check-repositories.ts'
import { describeFailure, type Finding, reportOn } from './finding.ts'

/** `floe check`; takes the arguments of `floe serve`. */
export async function check(line: CommandLine, terminal: Terminal): Promise<void> {
  const findings = await showProgress(terminal, (show) => checkAll(line, terminal, show))
  // Checks that were aborted look like failures.
  terminal.stop.throwIfAborted()
  const failed = findings.filter(({ ok }) => !ok)
  if (line.values.json) terminal.out(`${JSON.stringify({ ok: failed.length === 0, findings }, null, 2)}\n`)
  else terminal.out(findings.map(showFinding).join(''))
  if (failed.length > 0) throw new FailedChecksError(`${failed.length} of ${findings.length} checks failed`)
}

async function checkAll(line: CommandLine, terminal: Terminal, onProgress: (text: string) => void): Promise<Finding[]> {
  const report = reportOn('configuration', line.values.config ?? 'flags and variables')
  let config: Config
  let proxy: ProxyCheck | undefined
  let issuers: readonly OpenedIssuer[]
  try {
    config = await readServiceConfig(line, terminal)
    proxy = await checkConfig(config, terminal)
    issuers = await openIssuers(config, terminal.environment)
  } catch (error) {
    if (error instanceof UsageError) throw error
    return [report(false, describeFailure(error))]
  }
  const parts = { signal: terminal.stop, onProgress }
  const database = await checkDatabase(config)
  const repositories = await checkRepositories(config, parts)
  const mistakes = [...findMistakes(config, terminal.environment, repositories.found)]
  return [
    report(true, `serves ${config.deployments.map(({ name, org }) => `${org}/${name}`).join(', ')}`),
    ...database.findings,
    ...mistakes.map(({ setting, problem }) => reportOn('configuration', setting)(false, problem)),
    ...noteUnlinked(config, database),
    ...noteUntold(config, database),
    ...repositories.findings,
    ...(proxy ? [await proxy.try()] : []),
    ...(await checkIssuers(issuers)),
    ...(await checkReceivers(config, database.receivers, { ...parts, proxy })),
  ]
}

/**
 * Throws the errors with which a service would not start in spite of a valid configuration.
 *
 * @returns what tries the proxy; undefined if there is none
 */
async function checkConfig(config: Config, { environment, stop }: Terminal): Promise<ProxyCheck | undefined> {
  listDeclaredKeys(config)
  // Not for a SQLite file, because that would create a key.
  if (findKeyFile(config) === undefined) openSecretBox(config)
  const certificates = await readReceiverCertificates(config.notifications)
  const proxy = readProxy(config.notifications, environment)
  return proxy && new ProxyCheck(proxy, certificates, stop)
}

function showFinding({ kind, name, ok, isNote, detail }: Finding): string {
  const lines = `${name}: ${detail}`.split('\n').map(escapeControls)
  return `${ok ? (isNote ? 'note  ' : 'ok    ') : 'FAILED'}  ${kind} ${lines.join('\n        ')}\n`
}
