import { z } from 'zod'
import {
  c,
  deploymentProblems,
  htmlPage,
  meta,
  metaPrefix,
  notModified,
  problems,
  snapshotProblems,
} from '../../dsl.ts'
import { DatasetDict, DatasetInfo, DatasetKeys } from '../../schemas/metadata/dataset.ts'
import { GroupPath, RefName, timeRule, TimeText } from '../../schemas/names.ts'
import { OfGroup, OfRef, OfRepository } from '../addresses.ts'

const infoDescription = `\
Returns the dimensions, variables and attributes of one group as xarray opens it, in the form of xpublish. Only \
metadata is read, never array data. A group without arrays has no dimensions and no variables; a group that xarray \
cannot open is answered with 422. Codecs and chunk grids that a reader has to install or switch on are no reason for \
422: they change nothing here, and the page of the dataset names them.

CF decoding is applied as xarray does by default: \`type\` is the decoded dtype, and attributes that decoding \
consumes are left out:

- \`_FillValue\`, \`missing_value\`, \`scale_factor\`, \`add_offset\` and \`_Unsigned\`;
- \`units\` and \`calendar\` of times (units such as \`days since 2000-01-01\`), and of their bounds;
- \`units\` and \`dtype\` of durations, and \`dtype: "bool"\`;
- \`_Encoding\` of text;
- \`coordinates\`, also of the group: the variables that it names become coordinates;
- attributes of the group whose name begins with \`_nc\`.

All others stay as stored, for example \`units\` of other variables, \`bounds\`, \`grid_mapping\` and \
\`valid_range\`. The \`fill_value\` of a Zarr array masks nothing.`

const keysDescription =
  'Returns the names of the variables of one group in the order of `info`: data variables first, then coordinates. ' +
  'Groups below it are not included.'

const dictDescription =
  'Returns `xarray.Dataset.to_dict(data=False)` of one group, with the `shape` of each variable. It is decoded as ' +
  '`info` is. `dtype` is the text of the dtype, such as `<U5`, where `type` in `info` is its name, such as ' +
  '`str160`.'

const pageDescription =
  'Returns an HTML page of one group in the layout of xarray: dimensions, coordinates, data variables and ' +
  'attributes, without array data. If xarray cannot open the group, the page says why and lists the stored arrays.'

const trailingSlash =
  'Add a trailing slash if the last segment of the group is `info`, `keys` or `dict`; without it, the answer is ' +
  'that view of the group above.'

const shared = {
  method: 'GET',
  metadata: meta({ tag: 'datasets', access: 'reader', headers: ['etag', 'snapshot'] }),
} as const

/** The parts that the two routes of a JSON view share: for the root group, and for another one. */
function describeView<Body extends z.ZodType>(body: Body, description: string) {
  const responses = { 200: body, ...notModified, ...problems(...snapshotProblems, 'not-a-dataset') }
  return { ...shared, responses, description }
}

const info = describeView(DatasetInfo, infoDescription)
const keys = describeView(DatasetKeys, keysDescription)
const dict = describeView(DatasetDict, dictDescription)
const page = {
  ...shared,
  responses: { 200: htmlPage, ...notModified, ...problems(...snapshotProblems) },
  metadata: meta({ ...shared.metadata, isInClient: false }),
}

/** One dataset, in four representations. Each has two routes: for the root group, and for another one. */
export const datasets = c.router(
  {
    info: { ...info, pathParams: OfRef, path: '/:repo/:ref/info', summary: 'Schema of the root dataset' },
    groupInfo: { ...info, pathParams: OfGroup, path: '/:repo/:ref/:group/info', summary: 'Schema of a dataset' },
    keys: { ...keys, pathParams: OfRef, path: '/:repo/:ref/keys', summary: 'Variables of the root dataset' },
    groupKeys: { ...keys, pathParams: OfGroup, path: '/:repo/:ref/:group/keys', summary: 'Variables of a dataset' },
    dict: {
      ...dict,
      pathParams: OfRef,
      path: '/:repo/:ref/dict',
      summary: 'The root dataset as a dictionary without data',
    },
    groupDict: {
      ...dict,
      pathParams: OfGroup,
      path: '/:repo/:ref/:group/dict',
      summary: 'A dataset as a dictionary without data',
    },
    page: {
      ...page,
      pathParams: OfRef,
      path: '/:repo/:ref',
      summary: 'Page of the root dataset',
      description: pageDescription,
    },
    groupPage: {
      ...page,
      pathParams: OfGroup,
      path: '/:repo/:ref/:group',
      summary: 'Page of a dataset',
      description: `${pageDescription} ${trailingSlash}`,
    },
    choose: {
      method: 'GET',
      path: '/:repo',
      pathParams: OfRepository,
      query: z.object({
        ref: RefName,
        at: TimeText.describe(`The time: ${timeRule}`).meta({ examples: ['2026-11-18'] }),
        group: GroupPath.optional().describe('The group. Without it, the address of the list of datasets'),
      }),
      responses: { 303: c.noBody(), ...problems(...deploymentProblems) },
      summary: 'Redirect to a dataset at a time',
      description:
        'Answers 303 with the address of `{ref}@{at}`, for HTML forms, which can send names only as a query.',
      metadata: meta({ tag: 'datasets', access: 'reader', isInClient: false, headers: ['location'] }),
    },
  },
  { pathPrefix: `${metaPrefix}/datasets` },
)
