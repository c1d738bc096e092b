// Writes the page of expectations: a table of each kind from its declaration, between what holds for all of them.
import { expectationForms, expectationKinds } from '@floe/contract'
import { expectationKindNames } from '@floe/contract/lists'
import type { z } from 'zod'

const introduction = `# Expectations

An **expectation** says what the head of a branch must be like: [how recent](#freshness), [how complete](#written-chunks),
[what its readers rely on](#contract), or that it is [only moved forward](#protection). Floe judges each head, and sends one event when a
branch no longer **meets** it, and another when it does again.

\`\`\`sh
curl -u acme:KEY http://127.0.0.1:8080/v1/orgs/acme/repos/weather/expectations \\
  -H 'content-type: application/json' \\
  -d '{ "kind": "freshness", "branch": "main", "alias": "forecasters", "max_age": "6h", "path": "forecast/**" }'
\`\`\`

| member | meaning |
| --- | --- |
| \`kind\` | what is expected: one of those [below](#kinds). It cannot be changed |
| \`branch\` | the name of a branch, which need not exist yet, or a [pattern](receiving.md#what-is-sent) of branches. Floe watches them from now on |
| \`alias\` | optional: a name for people, such as that of the readers who rely on it |
| \`within\` | optional: a grace, such as \`30m\`. A branch is unmet only after it has failed for that long |
| \`repos\` | only for an expectation of the organisation: patterns of its repositories, also of those that appear later. Default: \`["**"]\` |

The other members are settings of the kind. Administrators add expectations to a repository or to an organisation with this call, on the
[settings page](administration.md#the-settings-page), or with the [client](../../client/README.md#administration). Operators add them in
[\`floe.yaml\`](../operating/configuration.md#expectations).

## Kinds
`

const details = `## Rules

- **\`state\`** is \`met\` or \`unmet\` after the last head that could be judged, and \`unknown\` before there is one. While a grace runs, it
  is what it was before. \`due_at\` says when a branch becomes unmet if nothing changes.
- **A head or a repository that cannot be read** changes no state and sends no event: nobody knows whether it meets the expectation.
  \`reason\` says why the last head could not be judged. If an object store or Floe itself is busy, the next check judges again. Of a
  repository, Floe sends the notice [\`RepositoryUnreadable\`](receiving.md#notices-about-floe).
- **An expectation that is met from the beginning** causes no event; one that is unmet when you add it causes one at once. A branch that
  stays unmet causes no other, even if the next commit breaks something else; pages and answers show what it is now.
- **Commits do not wait.** Judgements that read data run after the \`NewCommit\` was recorded. If several commits come meanwhile, Floe judges
  the last of them.
- **After a pause of the service**, Floe first reads what was committed meanwhile. Then it sends one event for each branch that is unmet.
- **A change** makes Floe judge all branches again. Branches and repositories that no longer match are forgotten, and so are all when the
  expectation is deleted: those that were unmet end with the event \`ExpectationMet\`, whose \`reason\` says so, so that alerts end.
- **Of a pattern**, a branch that is deleted is forgotten. At most 100 branches of a repository are judged for one pattern.
- A repository has at most 50 expectations, those of its organisation and of \`floe.yaml\` included, and an organisation 50 of its own.

### Of freshness

- The age counts from \`written_at\` of the commit, or from when Floe saw it if its writer states a later time. It is compared with the clock
  of the database. A reset of the branch to an older commit makes it older.
- With \`path\`, Floe looks for the last commit that changed it among the last 100 commits (in format version 1, the last 20), for at most 10
  seconds. If none of them did, \`last_commit_at\` is null and the age counts from the oldest of them: the last change was not later. If it is
  unknown what a commit changed, it counts.
- A branch that does not exist counts from the first check after you add the expectation. One that was named and is deleted keeps its last
  commit.

### Of written chunks

- A share is of the whole array. In one that grows, such as an archive of forecast runs, each run is a smaller part of it: after 120 whole
  runs of 12 lead times, a run with only 7 leaves 0.9966 written, which is enough for \`0.99\`, and from 99 whole runs on so is a run that is
  missing altogether. Only \`1\` notices every chunk that is missing; use it if your writer writes each chunk, also those with nothing but
  the fill value. For arrays that are rewritten each time, a smaller share is fine.
- Arrays without dimensions never count, because Zarr does not write a scalar that equals its fill value. Other arrays with chunks that hold
  only the fill value need a smaller share, or a \`path\` that leaves them out.
- If it is [unknown](completeness.md#when-it-is-unknown) how many chunks of an array are written, and no other array has too few, the state
  stays as it is. A \`path\` that no array has is unmet.
- Whether only the last steps along a dimension such as \`time\` are open cannot be expected: the counts do not say where the holes are.

### Of contracts

[\`floe contract\`](breaking-changes.md#contracts) writes the document. Delete from it what nobody relies on, then add it:

\`\`\`sh
npx floe contract s3://data/weather main > contract.json
jq -n --slurpfile contract contract.json \\
  '{ kind: "contract", branch: "main", alias: "tile server", contract: $contract[0] }' |
  curl -u acme:KEY http://127.0.0.1:8080/v1/orgs/acme/repos/weather/expectations \\
    -H 'content-type: application/json' -d @-
\`\`\`

- Unmet means that the verdict of the [comparison](breaking-changes.md#rules) with the contract is \`breaking\`; \`identical\` and
  \`compatible\` keep it. A dataset that xarray cannot open breaks the contract.
- A head cannot be judged if a dataset is larger than Floe reads, takes more than 10 seconds twice, or is damaged.
- Readers of the repository see the alias and what breaks it; only administrators see the document.
- A member that Floe does not know, or another \`version\`, is answered with 400 and its JSON pointer; a document that is too
  [large](../limits.md#events-and-receivers), with 413. The audit log names documents by their SHA-256.

### Of protection

- A branch is protected from the head that it has when the expectation is added or changed. Floe tells of what breaks it, and does not
  prevent it.
- A branch that was reset or deleted, or has a commit of another author, stays unmet until it leads to its last good head again without such
  commits, or until the expectation is changed.

## Events

| event | sent when |
| --- | --- |
| \`ExpectationUnmet\` | a branch has failed the expectation for longer than its grace |
| \`ExpectationMet\` | a branch that was unmet meets it again, or is no longer judged |

Webhooks and chats select these events with \`events\` and \`branches\`, [streams](http.md#events) too. Each is sent once, after the \`NewCommit\`
that caused it, however many replicas run. Their \`details\` have:

| field | meaning |
| --- | --- |
| \`org_name\`, \`repo_name\`, \`repo_id\`, \`branch\` | as in [\`NewCommit\`](receiving.md#the-request) |
| \`expectation_id\`, \`expectation_alias\` | the expectation |
| \`kind\`, \`within\` | as above, beside the settings of the kind |
| \`since\` | since when the branch has not met it |
| \`snapshot_id\` | the head that was judged; null if there is none |
| \`facts\` | what was found, by the kind |
| \`reason\` | what the facts do not say, such as that the expectation was deleted; null otherwise |

\`webhook-sequence\` increases with each event of the expectation and the branch. A chat gets lines such as:

\`\`\`
acme/weather branch main is stale: last commit at 2026-11-21T12:00:00.000Z, expected every 6h
acme/weather branch main (forecast/**) is incomplete: forecast/temperature has 46 of 48 chunks written, expected 0.99
acme/weather branch main breaks its contract tile server: forecast: t2m is float64, must be float32; forecast: lead_time is missing
acme/weather branch main keeps its contract tile server again
\`\`\`

Without events, you see the state in the list of repositories of a deployment, on the page of the repository and on its settings page, in
\`expectations\` of [\`/repositories/{repo}\`](http.md#addresses), which [agents](agents.md) can ask too, and as a
[metric](../operating/metrics.md#metrics) with an alert.

## The API

Below \`/v1/orgs/{org}/repos/{repo}\`, or below \`/v1/orgs/{org}\` for the organisation, with an administrator's key:

| call | effect |
| --- | --- |
| \`GET /expectations\` | lists the expectations with the state of their branches, oldest first: for a repository, also those of its organisation |
| \`POST /expectations\` | adds one |
| \`GET /expectations/{id}\` | reads one, with its \`ETag\` |
| \`GET /expectations/{id}/contract\` | reads the document of a contract |
| \`PATCH /expectations/{id}\` | changes the members that are sent; \`kind\` must be among them |
| \`DELETE /expectations/{id}\` | deletes one |

\`If-Match\` with the \`ETag\` makes a change fail with 412 if somebody else has changed the expectation since. \`states\` lists the branches,
unmet ones first, and \`unmet\` counts these. Changes are in the audit log.
`

const document = '| `contract` | required: the [document](breaking-changes.md#contracts) |'

/** Writes a row of each member of a shape. */
function writeRows(shape: Readonly<Record<string, z.ZodType>>, note: string): string[] {
  return Object.entries(shape).map(([name, schema]) => {
    const meaning = (schema.description ?? '').replaceAll('|', '\\|')
    return `| \`${name}\` | ${note}${note === '' ? meaning : `${meaning[0]?.toLowerCase()}${meaning.slice(1)}`} |`
  })
}

function writeKind(name: (typeof expectationKindNames)[number]): string {
  const { title, meaning, required, optional, ...others } = expectationKinds[name]
  const settings = [
    ...writeRows(required, 'required: '),
    ...('hasDocument' in others ? [document] : []),
    ...writeRows(optional, 'optional: '),
  ]
  return [
    `### ${title}\n`,
    `\`"kind": "${name}"\`. ${meaning}.\n`,
    '| setting | meaning |\n| --- | --- |',
    `${settings.join('\n')}\n`,
    '| fact | meaning |\n| --- | --- |',
    `${writeRows(expectationForms[name].facts.shape, '').join('\n')}\n`,
  ].join('\n')
}

/** Writes docs/using/expectations.md. */
export function writeExpectationsPage(): string {
  return [introduction, ...expectationKindNames.map(writeKind), details].join('\n')
}
