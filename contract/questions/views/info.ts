import { DatasetInfo } from '../../schemas/metadata/dataset.ts'
import { askSnapshot, makeGroupRoutes, type Question } from '../question.ts'

const description = `\
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

const { root, group } = makeGroupRoutes(
  'datasets',
  '/info',
  { ...askSnapshot({ tag: 'datasets' }, DatasetInfo, 'not-a-dataset'), description },
  ['Schema of the root dataset', 'Schema of a dataset'],
)

/** The dimensions, variables and attributes of a group, in the form of xpublish. */
export const info = {
  router: 'datasets',
  routes: { info: root, groupInfo: group },
  answer: DatasetInfo,
  tool: {
    description:
      'Returns dimensions, variables and attributes of a dataset, decoded as xarray does. Long: request a `part`, ' +
      'such as "/variables/NAME" or "/global_attributes".',
  },
} as const satisfies Question
