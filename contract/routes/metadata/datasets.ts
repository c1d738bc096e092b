import type { z } from 'zod'
import { c, htmlPage, meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { DatasetDict, DatasetInfo, DatasetKeys } from '../../schemas/metadata/dataset.ts'
import { OfGroup, OfRef } from '../addresses.ts'

const metadata = meta({ tag: 'datasets', access: 'reader', headers: ['etag', 'snapshot'] })

function viewResponses<Body extends z.ZodType>(body: Body) {
  return { 200: body, ...notModified, ...problems(...snapshotProblems, 'not-a-dataset') }
}

const pageResponses = { 200: htmlPage, ...notModified, ...problems(...snapshotProblems) }

const infoDescription = `\
Returns the dimensions, variables and attributes of one group as xarray opens it, in the form of xpublish. Only metadata is read, never \
array data. A group without arrays has no dimensions and no variables; a group that xarray cannot open is answered with 422.

CF decoding is applied as xarray does by default: \`type\` is the decoded dtype, and attributes that decoding consumes are left out:

- \`_FillValue\`, \`missing_value\`, \`scale_factor\`, \`add_offset\` and \`_Unsigned\`;
- \`units\` and \`calendar\` of times (units such as \`days since 2000-01-01\`), and of their bounds;
- \`units\` and \`dtype\` of durations, and \`dtype: "bool"\`;
- \`_Encoding\` of text;
- \`coordinates\`, also of the group: the variables that it names become coordinates;
- attributes of the group whose name begins with \`_nc\`.

All others stay as stored, for example \`units\` of other variables, \`bounds\`, \`grid_mapping\` and \`valid_range\`. The \`fill_value\` of \
a Zarr array masks nothing.`

const keysDescription =
  'Returns the names of the variables of one group in the order of `info`: data variables first, then coordinates. Groups below it are not included.'

const dictDescription =
  'Returns `xarray.Dataset.to_dict(data=False)` of one group, with the `shape` of each variable. It is decoded as `info` is. `dtype` is ' +
  'the text of the dtype, such as `<U5`, where `type` in `info` is its name, such as `str160`.'

const pageDescription =
  'Returns an HTML page of one group in the layout of xarray: dimensions, coordinates, data variables and attributes, without array data. ' +
  'If xarray cannot open the group, the page says why and lists the stored arrays.'

const trailingSlash =
  'Add a trailing slash if the last segment of the group is `info`, `keys` or `dict`; without it, the answer is that view of the group above.'

/** One dataset, in four representations; each for the root group and for a nested one. */
export const datasets = c.router(
  {
    info: {
      method: 'GET',
      path: '/info',
      pathParams: OfRef,
      responses: viewResponses(DatasetInfo),
      summary: 'Schema of the root dataset',
      description: infoDescription,
      metadata,
    },
    groupInfo: {
      method: 'GET',
      path: '/:group/info',
      pathParams: OfGroup,
      responses: viewResponses(DatasetInfo),
      summary: 'Schema of a dataset',
      description: infoDescription,
      metadata,
    },
    keys: {
      method: 'GET',
      path: '/keys',
      pathParams: OfRef,
      responses: viewResponses(DatasetKeys),
      summary: 'Variables of the root dataset',
      description: keysDescription,
      metadata,
    },
    groupKeys: {
      method: 'GET',
      path: '/:group/keys',
      pathParams: OfGroup,
      responses: viewResponses(DatasetKeys),
      summary: 'Variables of a dataset',
      description: keysDescription,
      metadata,
    },
    dict: {
      method: 'GET',
      path: '/dict',
      pathParams: OfRef,
      responses: viewResponses(DatasetDict),
      summary: 'The root dataset as a dictionary without data',
      description: dictDescription,
      metadata,
    },
    groupDict: {
      method: 'GET',
      path: '/:group/dict',
      pathParams: OfGroup,
      responses: viewResponses(DatasetDict),
      summary: 'A dataset as a dictionary without data',
      description: dictDescription,
      metadata,
    },
    page: {
      method: 'GET',
      path: '',
      pathParams: OfRef,
      responses: pageResponses,
      summary: 'Page of the root dataset',
      description: pageDescription,
      metadata,
    },
    groupPage: {
      method: 'GET',
      path: '/:group',
      pathParams: OfGroup,
      responses: pageResponses,
      summary: 'Page of a dataset',
      description: `${pageDescription} ${trailingSlash}`,
      metadata,
    },
  },
  { pathPrefix: `${metaPrefix}/datasets/:repo/:ref`, strictStatusCodes: true },
)
