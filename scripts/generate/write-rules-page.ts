// Writes the page of the rules by which changes of datasets are judged.
import { writeRules } from '@floe/contract'

const introduction = `# Breaking changes of data

Floe tells whether a change of a repository breaks those who read its datasets. It compares what *readers see*:
the datasets as xarray decodes them, not the stored documents.

\`\`\`sh
curl 'http://127.0.0.1:8080/v1/services/demo/acme/_meta/compatibility/weather/v1.0/main?group=wind'
\`\`\`

\`from\` and \`to\` are branches, tags, snapshot ids, or one of these at a time (\`main@2026-11-18\`). \`group\`
restricts the answer to a group and the groups below it. The page of a [comparison](http.md#what-changed) begins
with the same verdict.

\`\`\`ts
import { createClient } from '@floe/client'

const floe = createClient({ baseUrl: 'http://127.0.0.1:8080/v1', deployment: 'demo', org: 'acme' })
const { verdict, datasets } = await floe.compatibility({ repo: 'weather', from: 'v1.0', to: 'main' })
console.log(verdict)
for (const { group, changes } of datasets)
  for (const { kind, variable, before, after } of changes) console.log(group, kind, variable, before, after)
\`\`\`

## Verdicts

**Compatible** means that who could read the old state can read the new one. Confluent's schema registry calls
that \`FORWARD\`: new data, old readers.

| verdict | meaning |
| --- | --- |
| \`identical\` | readers see no difference |
| \`compatible\` | readers of the old state can read the new one, and what they read has the same meaning |
| \`unknown\` | the metadata does not show whether readers break; the change has the \`reason\` |
| \`breaking\` | readers of the old state may fail, or read other values than they expect |

The verdict of a dataset is the worst of its changes, and that of the answer the worst of its datasets.

## Rules
`

const notes = `The category says what a change is about: \`structure\` and \`meaning\` of the data, the
stored \`values\`, or only the \`cost\` of reading them.

- **Units** are equal if they are products of the same powers: \`W/m2\` and \`W m-2\`, \`degrees_north\` and
  \`degree_north\`. Units of other quantities or sizes (\`hPa\` and \`Pa\`) are not.
- **Standard names** that the CF table lists as aliases are equal. The comparison has version 93 of the table.
- **Attributes** are compared as Python compares them: \`2\` equals \`2.0\`, and the order of members does not
  matter.
- **A grid-mapping variable** is one that another variable names in \`grid_mapping\`, or that has
  \`grid_mapping_name\`.
- **Moves** are listed as removed and as added, with \`moved_from\`: who reads the old path no longer finds the
  data. Renames are not guessed. What was deleted and created again, as \`to_zarr(mode="w")\` does, is compared
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

[Limits](../limits.md#queries) has the size of an answer. If lists were cut, \`truncated\` is true; breaking
changes are listed first, and \`counts\` has the full numbers.
`

/** Writes docs/using/breaking-changes.md. */
export function writeRulesPage(): string {
  return [introduction, `${writeRules()}\n`, notes].join('\n')
}
