import type { PromiseSection } from '../proven-promise.ts'

const openDatabase = 'storage/records/database/open-database.ts'
const reloader = 'server/main/configuration/reloader.ts'
const runServer = 'server/main/run-server.ts'
const stateLog = 'server/observation/state-log.ts'

/** Promises to operators. */
export const operation: PromiseSection = {
  title: 'Operation',
  introduction: "Floe's own promises to operators.",
  promises: {
    'a database of a newer version is refused and not changed': [
      openDatabase,
      'unknown.length > 0',
      'unknown.length > 9',
    ],
    'processes that start at the same time migrate once': [openDatabase, 'busyMs: 5_000', 'busyMs: 0'],
    'while the disk of the database is full, metadata is answered': [
      'server/catalog/catalog.ts',
      '(await this.#find(',
      '(await this.findEntry(',
    ],
    'a backup of a running service is complete and starts elsewhere': [
      'storage/records/database/backup/make-backup.ts',
      '&& existsSync',
      '&& !existsSync',
    ],
    'an incomplete backup replaces nothing': ['storage/records/database/backup/backup-file.ts', "!== 'ok'", "=== ''"],
    '`check` names each repository that cannot be read': [
      'server/main/commands/upkeep/check-repositories.ts',
      'report(false, describe',
      'report(true, describe',
    ],
    '`check` names each receiver whose host is not found or not allowed': [
      'server/main/commands/upkeep/check-receivers.ts',
      '.length === 0',
      '.length < 0',
    ],
    '`check` changes nothing': [
      'server/main/commands/upkeep/check.ts',
      '=== undefined) openSecretBox',
      '!== 0) openSecretBox',
    ],
    'requests under way have 10 s to finish during a stop': [runServer, '10_000', '9_000'],
    'a stop takes at most 16 s: 15 s for the service, and 1 s for parts of its process that hang': [
      runServer,
      '15_000',
      '20_000',
    ],
    'a second signal ends the process at once': ['server/main/floe.ts', 'process.off(', 'void ('],
    '`SIGHUP` reloads the configuration, and no answer uses the old one': [reloader, 'catalogs.serve(', 'void ('],
    'an invalid file changes nothing, and the log says why': [
      reloader,
      'was not reloaded: ${reason}',
      'was not reloaded',
    ],
    '`/readyz` names the parts that are not ready, and `/healthz` still answers 200': [
      'server/main/monitoring/readiness.ts',
      '[database]',
      '[]',
    ],
    'the dashboard and the alerts use names of metrics that exist': [
      'server/main/monitoring/register-gauges.ts',
      "'floe_overloaded'",
      "'floe_overload'",
    ],
    'each request has one line in the log, and its problem has the id of that line': [
      'server/http/errors/problem-replies.ts',
      'refusal, request.id',
      "refusal, ''",
    ],
    'the log says when a repository begins to fail and when it works again; one that flaps does not fill it': [
      stateLog,
      '300_000',
      '0',
    ],
    'while the database is away, the log has one line with the cause, and one when it is back': [
      'server/observation/fault-log.ts',
      '=== undefined) this',
      '!== 0) this',
    ],
    'each failed attempt has a line in the log, and thousands of failing receivers do not fill it': [
      'server/observation/line-budget.ts',
      '= 50',
      '= 50_000',
    ],
    'the log says which repositories appear and go; many at once are one line': [stateLog, 'names.length >', '0 >'],
    'answers, logs, metrics and traces contain no secret': ['server/observation/hide-secrets.ts', "'floe_'", "'?'"],
    'a public object store may redirect only to public addresses, a private one only to its host and port': [
      'storage/repositories/objects/remote/send-get.ts',
      'check(name, await',
      '(name, await',
    ],
    'an unreachable collector of traces delays nothing': ['server/observation/open-tracing.ts', '.catch(onError)', ''],
    'during overload, requests are refused with 503 and `Retry-After`, and health checks are answered': [
      'server/main/monitoring/refuse-when-overloaded.ts',
      'String(retryAfterS)',
      "'1'",
    ],
    'a command that takes long shows its progress on a terminal': [
      'server/main/commands/terminal.ts',
      '1_000',
      '5_000',
    ],
    'a command that is asked to stop says that it was not done': [
      'server/main/commands/run-command.ts',
      ' before it was done',
      '',
    ],
    'a container of `deploy/Dockerfile` starts and reports its health': ['deploy/Dockerfile', '/readyz', '/ready'],
    'the systemd unit in `deploy/` starts the service': ['deploy/systemd/floe.service', '--config', '--configuration'],
    'the files in `deploy/` start replicas': ['deploy/floe.yaml', 'scan: /repositories', 'scan: /nothing'],
    'a command loads only the packages that it needs': [
      'server/main/commands/inspect/inspect.ts',
      "'../terminal.ts'",
      "'../terminal.ts'; import 'fastify'",
    ],
  },
}
