// The three JSON views of a dataset, in the shapes that xpublish defines.
import { z } from 'zod'

/** Any JSON value, such as that of an attribute. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [member: string]: JsonValue }

// Bodies come from a JSON parser, so every value in them is a JSON value and the schema can be empty. Code generators
// for other languages cannot follow a schema that refers to itself.
export const JsonValue = z.unknown() as z.ZodType<JsonValue>

const Attributes = z
  .record(z.string(), JsonValue)
  .describe('Attributes in stored order, without those that CF decoding consumes, such as `scale_factor`')

const DimensionName = z
  .string()
  .nullable()
  .describe('Null for a dimension without a name, if the array names only some of its dimensions')

// Not `z.int()`, which rejects integers beyond 2^53. A JSON parser rounds those to a number that is still an integer.
const Size = z
  .number()
  .min(0)
  .refine(Number.isInteger, 'must be a whole number')
  .meta({ type: 'integer', description: 'Number of elements; may exceed 2^53' })

const sizesText =
  'Size of each dimension. xarray merges all dimensions without a name into one, which has the name `null` here'

const datesNote =
  'Times that are out of range for `datetime64[ns]` are `object` in xarray; the metadata does not show this, so ' +
  'such times are `datetime64[ns]` here.'

const VariableInfo = z
  .object({
    type: z.string().describe(`Name of the decoded numpy dtype. ${datesNote}`),
    dimensions: z.array(DimensionName).describe('Names of its dimensions, in their order'),
    attributes: Attributes,
  })
  .meta({ id: 'VariableInfo', description: 'A variable of a dataset' })

export const DatasetInfo = z
  .object({
    dimensions: z.record(z.string(), Size).describe(sizesText),
    variables: z.record(z.string(), VariableInfo).describe('Data variables first, then coordinates'),
    global_attributes: Attributes,
  })
  .meta({
    id: 'DatasetInfo',
    description: 'Dimensions, variables and attributes of a dataset, in the form of xpublish',
    examples: [
      {
        dimensions: { time: 24, lat: 2 },
        variables: {
          temperature: { type: 'float64', dimensions: ['time', 'lat'], attributes: { units: 'K' } },
          lat: { type: 'float64', dimensions: ['lat'], attributes: { units: 'degrees_north' } },
          time: { type: 'datetime64[ns]', dimensions: ['time'], attributes: { standard_name: 'time' } },
        },
        global_attributes: { title: 'Hourly forecast' },
      },
    ],
  })
export type DatasetInfo = z.infer<typeof DatasetInfo>

export const DatasetKeys = z
  .array(z.string())
  .describe(
    'Names of the variables: data variables first, then coordinates. Names of dimensions are not needed: `keys` ' +
      'answers too where `info` and `dict` answer 422 because an array has no names of dimensions, fewer names than ' +
      'dimensions, or null as the name of dimensions with different sizes. A variable with such a dimension is a ' +
      'coordinate only if `coordinates` names it, or if a dimension of another array has its name',
  )
  .meta({ id: 'DatasetKeys', examples: [['temperature', 'lat', 'time']] })
export type DatasetKeys = z.infer<typeof DatasetKeys>

const VariableDict = z
  .object({
    dims: z.array(DimensionName).describe('Names of its dimensions, in their order'),
    attrs: Attributes,
    dtype: z.string().describe(`Text of the decoded numpy dtype. ${datesNote}`),
    shape: z.array(Size).describe('Size in each dimension'),
  })
  .meta({ id: 'VariableDict', description: 'A variable as `xarray.Dataset.to_dict(data=False)` gives it' })

export const DatasetDict = z
  .object({
    coords: z.record(z.string(), VariableDict).describe('Coordinates by name'),
    attrs: Attributes,
    dims: z.record(z.string(), Size).describe(sizesText),
    data_vars: z.record(z.string(), VariableDict).describe('Data variables by name'),
  })
  .meta({
    id: 'DatasetDict',
    description: 'The dataset as `xarray.Dataset.to_dict(data=False)` gives it',
    examples: [
      {
        coords: { lat: { dims: ['lat'], attrs: { units: 'degrees_north' }, dtype: 'float64', shape: [2] } },
        attrs: { title: 'Hourly forecast' },
        dims: { time: 24, lat: 2 },
        data_vars: { temperature: { dims: ['time', 'lat'], attrs: { units: 'K' }, dtype: 'float64', shape: [24, 2] } },
      },
    ],
  })
export type DatasetDict = z.infer<typeof DatasetDict>
