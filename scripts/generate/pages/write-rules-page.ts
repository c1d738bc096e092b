// Writes the page of the rules by which changes of datasets are judged.
import {
  type ChangeVerdict,
  descriptiveAttributes,
  harmlessGribKeys,
  meaningAttributes,
  writeRules,
} from '@floe/contract'

const introduction = `# Breaking changes of data

Floe tells whether a change of a repository breaks the readers of its datasets. It compares what *readers see*:
the datasets as xarray decodes them, not the stored documents.

\`\`\`sh
curl 'http://127.0.0.1:8080/v1/services/demo/acme/_meta/compatibility/weather/main/dev?group=forecast'
\`\`\`

\`\`\`json
{
  "from_snapshot_id": "S14SH74PMCGBX9G7GBNG",
  "to_snapshot_id": "CQRVY64MV8D8HVGZM4W0",
  "verdict": "breaking",
  "datasets": [
    {
      "group": "forecast",
      "verdict": "breaking",
      "changes": [
        {
          "kind": "units-changed", "category": "meaning", "verdict": "breaking", "variable": "precipitation",
          "dimension": null, "attribute": "units", "before": "kg m-2", "after": "mm"
        }
      ],
      "notes": []
    }
  ],
  "counts": {
    "datasets": { "breaking": 1, "unknown": 0, "compatible": 0 },
    "changes": { "breaking": 1, "unknown": 0, "compatible": 0 },
    "notes": 0,
    "not_compared": 0
  },
  "truncated": false
}
\`\`\`

\`from\` and \`to\` are [refs](http.md#addresses). \`group\` restricts the answer to a group and those below it. The
page of a [difference](http.md#what-changed) begins with the same verdict.

## Verdicts

| verdict | meaning |
| --- | --- |
| \`identical\` | readers see no difference |
| \`compatible\` | readers of the old state can read the new one, and it means the same |
| \`unknown\` | the metadata does not show whether readers break; the change has the \`reason\` |
| \`breaking\` | readers of the old state may fail, or read unexpected values |

The verdict of an answer is the worst of its changes.

## Rules
`

const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

const meanings = Object.entries(meaningAttributes)
  .map(([source, names]) => `  - ${source}: ${list(names)}`)
  .join('\n')

const details = `# Verdicts in detail

[Breaking changes](../using/breaking-changes.md) has the rules; this page lists every kind
of change, and says how they are found.

## Kinds of changes

${writeRules()}

The category says what a change is about: \`structure\` and \`meaning\` of the data, the stored \`values\`, or only the
\`cost\` of reading them.

## What counts as equal

- **A longer dimension** is an append if its coordinate was kept: \`to_zarr(append_dim=...)\` extends arrays, and
  \`mode="w"\` replaces them. Where there is no coordinate, one array that was kept is enough. A replaced coordinate of
  times is expected to have the earlier times, so this is compatible too.
- **Units** are equal if UDUNITS-2 converts neither by a factor nor by an offset: \`W/m2\` and \`W m-2\`, \`dbar\` and
  \`decibar\`, \`ppm\` and \`1e-6\`, \`1\` and an empty text. Units of other sizes (\`hPa\` and \`Pa\`) are not. Floe
  is stricter about angles: \`degrees_north\`, \`degrees_east\`, \`degrees\` and \`1\` differ, and \`sr\` is no number.
- **Standard names** that the CF table lists as aliases are equal. The comparison has version 93 of the table.
- **Attributes** are compared as Python compares them: \`2\` equals \`2.0\`, and the order of members does not
  matter.
- **What values mean or which way they run** is said by:
${meanings}
  - attributes that begin with \`flag_\`, and those that begin with \`GRIB_\` (cfgrib), except
    ${list(harmlessGribKeys)}
- **Arrays without chunks**, such as those of a template that is filled later, may get other chunks and codecs:
  nothing is stored. Another scale or offset is a break, because it changes the value of what is not written.
- **A grid mapping** is defined by all attributes of its variable but ${list(descriptiveAttributes)}.
- **A grid-mapping variable** is one that another variable names in \`grid_mapping\`, or that has
  \`grid_mapping_name\`.
- **Moves** are listed as removed and as added, with \`moved_from\`: readers of the old path no longer
  find the data. Renames are not guessed. What was deleted and created again, as \`to_zarr(mode="w")\` does, is compared
  by what readers see.
- **A child group** whose sizes no longer fit those of a group above it gets the note \`tree-misaligned\`:
  \`xarray.open_datatree\` refuses the tree, but each group opens alone, so the note does not affect the
  verdict. At most 2,000 unchanged groups are looked at for it.

## What the metadata does not show

- **Values of coordinates.** An append that flips \`lat\` leaves the metadata as it was, so Floe cannot see it.
  Neither does it see that data was overwritten, or that missing chunks were filled.
- **Whether chunks were written** is known only if \`from\` is an ancestor of \`to\`, and the transaction logs
  of the commits in between still exist. Otherwise \`values-reinterpreted\` is \`unknown\`.
- **Over several commits**, it is only known that chunks were written, not in which order. If one commit appends
  and the next changes \`scale_factor\`, the range counts as rewritten; a comparison of the second commit alone
  finds the break.
- **Codecs and chunk grids of plug-ins** count as readable ([format support](../format-support.md)).
- **Times that numpy cannot hold** are \`object\` in xarray, which depends on their values; here they are
  \`datetime64[ns]\`.

[Limits](limits.md#queries) has the size of an answer. If lists were cut, \`truncated\` is true; breaking
changes are listed first, and \`counts\` has the full numbers.
`

const examples = {
  breaking: [
    'a variable, dimension or dataset is gone',
    'a dimension is shorter',
    'a type, unit, standard name or calendar changed',
    'values are decoded in another way, but were not written again',
  ],
  unknown: [
    'xarray could open the dataset neither before nor after',
    'only the fill value changed',
    'a dimension grew, and its coordinate was replaced',
  ],
  compatible: [
    'a new variable, dimension, dataset or attribute',
    'an append',
    'another spelling of the same unit',
    'other chunks or codecs of data that was written again',
  ],
} as const satisfies Record<ChangeVerdict, readonly string[]>

const exampleRows = Object.entries(examples).map(([verdict, changes]) => `| ${verdict} | ${changes.join('; ')} |`)

const notes = `| verdict | for example |
| --- | --- |
${exampleRows.join('\n')}

- **A longer dimension** is an append if its coordinate was kept.
- **Units** are equal if they convert neither by a factor nor by an offset: \`W/m2\` and \`W m-2\`, but not \`hPa\`
  and \`Pa\`.
- **Moves** are listed as removed and as added, with \`moved_from\`. Renames are not guessed.
- **Arrays without chunks** may get other chunks and codecs: nothing is stored.

[Verdicts](../internals/verdicts.md) lists every kind of change, with what counts as equal.

## What the metadata does not show

- **Values.** Floe cannot see that an append flipped \`lat\`, that data was overwritten, or that missing chunks were
  filled.
- **Whether chunks were written**, if \`from\` is not an ancestor of \`to\`, or a transaction log is gone.
- **Codecs of plug-ins** count as readable.

If lists were cut, \`truncated\` is true. Breaking changes come first, and \`counts\` has the full numbers.

## Events

Webhooks, chats and [streams](http.md#events) that select [\`SchemaChanged\`](receiving.md#what-breaks-readers) get the
verdict of each head move:

\`\`\`sh
curl -u acme:KEY http://127.0.0.1:8080/v1/orgs/acme/repos/weather/receivers \\
  -H 'content-type: application/json' \\
  -d '{ "kind": "chat", "alias": "breaks", "url": "https://hooks.slack.com/services/...", "events": ["SchemaChanged"] }'
\`\`\`

\`\`\`
BREAKING CHANGE: acme/weather main: t2m was renamed to tas, by Jan Holm in "Use CF names", 16:16 UTC https://...
\`\`\`

## In continuous integration

\`floe diff\` compares two refs of a repository without a service:

\`\`\`sh
npx floe diff test/fixtures/repositories/weather main dev
\`\`\`

\`\`\`
breaking: main -> dev (1 breaking, 0 unknown, 0 compatible)
breaking  forecast: units of precipitation is mm, was kg m-2
floe: main -> dev: breaking
\`\`\`

The exit code is 1 if a change is breaking or the repository cannot be read; with \`--fail-on unknown\`, also if a
change is unknown. \`--json\` prints the answer of the service. In a job of GitHub:

\`\`\`yaml
steps:
  - uses: actions/checkout@v4
  - uses: actions/setup-node@v4
    with: { node-version: 24 }
  - run: npm install ./floe-*.tgz @aws-sdk/client-s3 # packed packages of Floe
  - run: npx floe diff s3://data/weather main dev
  - run: pip install icechunk
  - run: python reset_main.py # calls Repository.reset_branch('main', repo.lookup_branch('dev'))
\`\`\`

## Contracts

A contract says what readers rely on, so that other changes do not count. It is one JSON document:

\`\`\`json
{
  "version": 1,
  "datasets": {
    "forecast": {
      "dimensions": { "time": {}, "latitude": { "size": 721 } },
      "variables": {
        "t2m": { "type": "float32", "dimensions": ["time", "latitude"], "units": "K" },
        "time": { "role": "coordinate" }
      }
    }
  }
}
\`\`\`

\`npx floe contract LOCATION [REF] > contract.json\` writes all datasets; remove what nobody relies on. It leaves out
datasets that cannot be opened, and names them. \`--format pandera\` writes schemas of
[pandera](https://pandera.readthedocs.io) instead, which compare units and types literally, and
which the [Python client](python.md#contracts-from-pandera) reads.

| member | meaning |
| --- | --- |
| \`datasets\` | datasets that must exist, by the paths of their groups; the root is \`""\` |
| \`dimensions\` | dimensions that must exist |
| \`size\` | the only size that the dimension may have |
| \`variables\` | variables that must exist |
| \`type\`, \`dimensions\`, \`role\`, \`units\`, \`standard_name\` | as the rules compare them |

\`role\` is \`coordinate\` or \`data\`. Floe does not compare what you leave out, and refuses unknown members.
\`npx floe schema dataset-contract\` prints the JSON Schema.

\`npx floe diff LOCATION TO --contract contract.json\` compares \`TO\` with the contract. The service judges a ref by
the document in a \`POST\`:

\`\`\`sh
curl -H 'content-type: application/json' --data @contract.json \\
  http://127.0.0.1:8080/v1/services/demo/acme/_meta/compatibility/weather/main
\`\`\`

In the answer, \`before\` is what the contract says. Floe can judge every head by a contract, and [tell a
chat](alerts.md#breaking) when one breaks it.
`

/** Writes docs/using/breaking-changes.md. */
export function writeRulesPage(): string {
  return `${introduction}\n${notes}`
}

/** Writes docs/internals/verdicts.md. */
export function writeVerdictsPage(): string {
  return details
}
