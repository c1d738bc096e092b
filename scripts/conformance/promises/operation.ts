import type { PromiseSection } from '../proven-promise.ts'

const checkTest = 'server/main/commands/upkeep/check.test.ts'
const reloadTest = 'server/main/configuration/reload.test.ts'
const stopTest = 'server/main/stop.test.ts'

/** Promises to operators. */
export const operation: PromiseSection = {
  title: 'Operation',
  introduction: "Floe's own promises to operators.",
  promises: [
    {
      promise: 'a database of the first version is migrated and used',
      test: ['server/main/upgrade.test.ts', 'a database of the first version is brought up to date and used'],
      mutation: ['storage/database/migrations/index.ts', "    'alter table heads add column author text',\n", ''],
    },
    {
      promise: 'a database of a newer version is refused and not changed',
      test: [
        'storage/database/migrations.test.ts',
        'SQLite: a database that a newer program has changed is refused, and stays as it is',
      ],
      mutation: ['storage/database/open-database.ts', '(await explainNewer(db, name)) ?? error', 'error'],
    },
    {
      promise: 'processes that start at the same time migrate once',
      test: ['storage/database/open-database.test.ts', 'processes that open a new database at once all succeed'],
      mutation: [
        'storage/database/open-database.ts',
        'DatabaseLimits = { busyMs: 5_000',
        'DatabaseLimits = { busyMs: 0',
      ],
    },
    {
      promise: 'while the disk of the database is full, metadata is answered',
      test: [
        'server/main/unavailable-database.test.ts',
        'while a database refuses changes, new repositories are read, and are recorded afterwards',
      ],
      mutation: [
        'server/catalog/catalog.ts',
        'return (await this.#find(name, makeSignal))?.repository',
        'return (await this.findEntry(name, makeSignal))?.repository',
      ],
    },
    {
      promise: 'a backup of a running service is complete and starts elsewhere',
      test: ['server/main/commands/upkeep/backup.test.ts', 'a backup made while the service delivers starts elsewhere'],
      mutation: ['storage/database/backup/make-backup.ts', '? readKeyFile(keyFile) : null', '? null : null'],
    },
    {
      promise: 'an incomplete backup replaces nothing',
      test: [
        'storage/database/backup/backup.test.ts',
        'what is not a whole backup is refused before anything is replaced',
      ],
      mutation: ['storage/database/backup/backup-file.ts', "if (found !== 'ok')", "if (found === '')"],
    },
    {
      promise: '`check` names each repository that cannot be read',
      test: [checkTest, 'each repository that cannot be read is named, and does not hide the others'],
      mutation: [
        'server/main/commands/upkeep/check-repositories.ts',
        'return report(false, describeFailure(error))',
        'return report(true, describeFailure(error))',
      ],
    },
    {
      promise: '`check` names each receiver whose host is not found or not allowed',
      test: [checkTest, 'the host of each receiver must be found and allowed'],
      mutation: [
        'server/main/commands/upkeep/check-receivers.ts',
        'if (addresses.length === 0) return { ok: false',
        'if (addresses.length === 0) return { ok: true',
      ],
    },
    {
      promise: '`check` changes nothing',
      test: [checkTest, 'a service that can start passes, and nothing is changed'],
      mutation: [
        'server/main/commands/upkeep/check.ts',
        'if (findKeyFile(config) === undefined) openSecretBox',
        'openSecretBox',
      ],
    },
    {
      promise: 'requests under way have 10 s to finish during a stop',
      test: [stopTest, 'requests under way get ten seconds, and new ones are refused'],
      mutation: ['server/main/run-server.ts', 'requestsMs = 10_000', 'requestsMs = 9_000'],
    },
    {
      promise: 'a stop takes at most 16 s: 15 s for the service, and 1 s for parts of its process that hang',
      test: [stopTest, 'a part that hangs delays the stop by at most fifteen seconds'],
      mutation: ['server/main/run-server.ts', 'longestStopMs = 15_000', 'longestStopMs = 20_000'],
    },
    {
      promise: 'a second signal ends the process at once',
      test: [stopTest, 'SIGTERM after SIGTERM ends a process at once that waits for a request'],
      mutation: ['server/main/floe.ts', 'process.off(signal, end)', 'void signal'],
    },
    {
      promise: '`SIGHUP` reloads the configuration, and no answer uses the old one',
      test: [
        reloadTest,
        'repositories, keys, receivers and limits change without a restart, and nothing old is answered',
      ],
      mutation: ['server/main/configuration/reloader.ts', 'catalogs.serve(opened)', 'void opened'],
    },
    {
      promise: 'an invalid file changes nothing, and the log says why',
      test: [reloadTest, 'a configuration that cannot be used changes nothing, and the log says why'],
      mutation: [
        'server/main/configuration/reloader.ts',
        'the configuration was not reloaded: ${reason}',
        'the configuration was not reloaded',
      ],
    },
    {
      promise: '`/readyz` names the parts that are not ready, and `/healthz` still answers 200',
      test: ['server/main/monitoring/readiness.test.ts', 'what is not ready is named'],
      mutation: [
        'server/main/monitoring/readiness.ts',
        '(database === undefined ? [] : [database])',
        '(database === undefined ? [] : [])',
      ],
    },
    {
      promise: 'the dashboard and the alerts use names of metrics that exist',
      test: ['docs/observation.test.ts', 'every metric and label of the alert rules and the dashboard exists'],
      mutation: ['server/main/monitoring/register-gauges.ts', "'floe_overloaded'", "'floe_overload'"],
    },
    {
      promise: 'each request has one line in the log, and its problem has the id of that line',
      test: [
        'server/http/observation/request-lines.test.ts',
        'a problem names the line of its request, which says why it was refused',
      ],
      mutation: [
        'server/http/problems/problem-replies.ts',
        'toProblem(refusal, request.id)',
        'toProblem(refusal, crypto.randomUUID())',
      ],
    },
    {
      promise:
        'the log says when a repository begins to fail and when it works again, and one that flaps does not fill it',
      test: [
        'server/notifications/watch/failing-repositories.test.ts',
        'a repository that flaps, or fails in ever new ways, has one line in five minutes',
      ],
      mutation: ['server/http/observation/state-log.ts', 'quietMs = 300_000', 'quietMs = 0'],
    },
    {
      promise: 'while the database is away, the log has one line with the cause, and one when it is back',
      test: [
        'server/http/observation/fault-log.test.ts',
        'all that fails while the database is away is one line, and its return is another',
      ],
      mutation: ['server/http/observation/fault-log.ts', 'if (this.#outage === undefined) this', 'this'],
    },
    {
      promise:
        'each failed attempt at a delivery has a line in the log, and thousands of failing receivers do not fill it',
      test: [
        'server/notifications/deliver/attempt-log.test.ts',
        '4,000 receivers that fail have 50 lines in five minutes, which hide neither ends nor organisations',
      ],
      mutation: ['server/http/observation/line-budget.ts', 'maxLines = 50', 'maxLines = 50_000'],
    },
    {
      promise: 'the log says which repositories appear and go; many at once are one line',
      test: [
        'server/catalog/found-names.test.ts',
        'many that appear or go in one scan are one line, which names the first ten',
      ],
      mutation: ['server/http/observation/state-log.ts', 'names.length > maxListed', 'names.length > 100_000'],
    },
    {
      promise: 'answers, logs, metrics and traces contain no secret',
      test: ['server/canary.test.ts', 'no secret comes out'],
      mutation: [
        'server/http/observation/hide-secrets.ts',
        "if (!text.includes('floe_') && !text.includes('whsec_'))",
        'if (text.length > 0)',
      ],
    },
    {
      promise:
        'redirects of an object store lead to public addresses; those of a private one, to its own host and port',
      test: [
        'storage/objects/remote/send-get.test.ts',
        'a redirect of a public store to an internal address is refused before anything connects to it',
      ],
      mutation: [
        'storage/objects/remote/send-get.ts',
        'makeLookup(async (name) => judge(name, await resolveHost(name, signal)))',
        'makeLookup((name) => resolveHost(name, signal))',
      ],
    },
    {
      promise: 'an unreachable collector of traces delays nothing',
      test: ['server/http/observation/open-tracing.test.ts', 'a collector that cannot be reached holds up nothing'],
      mutation: [
        'server/http/observation/open-tracing.ts',
        'provider.shutdown().catch(onError)',
        'provider.shutdown()',
      ],
    },
    {
      promise: 'during overload, requests are refused with 503 and `Retry-After`, and health checks are answered',
      test: [
        'server/main/monitoring/refuse-when-overloaded.test.ts',
        'while memory is short, guarded requests are refused with Retry-After, and others are answered',
      ],
      mutation: ['server/main/monitoring/refuse-when-overloaded.ts', 'String(retryAfterS)', "'1'"],
    },
    {
      promise: 'a command that takes long shows its progress on a terminal',
      test: [
        'server/main/commands/terminal.test.ts',
        'a longer one shows what it does on one line, which is erased at the end',
      ],
      mutation: ['server/main/commands/terminal.ts', 'quietMs = 1_000', 'quietMs = 5_000'],
    },
    {
      promise: 'a command that is asked to stop says that it was not done',
      test: ['server/main/commands/floe.test.ts', 'a command that is asked to stop says that it was not done'],
      mutation: ['server/main/commands/run-command.ts', "'floe: stopped before it was done\\n'", "'floe: stopped\\n'"],
    },
    {
      promise: 'a container of `deploy/Dockerfile` starts and reports its health',
      test: ['deploy/dockerfile.test.ts', 'the command serves, and the health check tells whether it does'],
      mutation: ['deploy/Dockerfile', '127.0.0.1:8080/readyz', '127.0.0.1:8080/ready'],
    },
    {
      promise: 'the systemd unit in `deploy/` starts the service',
      test: ['deploy/systemd.test.ts', 'its command serves in its directory, and stops'],
      mutation: ['deploy/systemd/floe.service', 'floe.js serve --config', 'floe.js serve --configuration'],
    },
    {
      promise: 'the files in `deploy/` start replicas',
      test: ['deploy/compose.test.ts', 'replicas run on one database'],
      mutation: ['deploy/floe.yaml', 'scan: /repositories', 'scan: /nothing'],
    },
    {
      promise: 'a command loads only the packages that it needs',
      test: ['server/main/commands/loaded-packages.test.ts', 'inspect loads no server and no database'],
      mutation: [
        'server/main/commands/inspect.ts',
        'import { escapeControls, showProgress',
        "import 'fastify'; import { escapeControls, showProgress",
      ],
    },
  ],
}
