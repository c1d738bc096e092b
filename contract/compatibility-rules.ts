// What a change of a dataset means for those who read it. The comparison takes verdicts and categories from this table,
// and the page of the rules and the API documentation are generated from it. This file does not import zod, so that
// reader threads and pages can use it without loading it.
import { type ChangeVerdict, changeVerdicts } from './lists.ts'

/** What a change is about. `cost` changes only how fast and how large reads are. */
export const changeCategories = ['structure', 'meaning', 'values', 'cost'] as const
export type ChangeCategory = (typeof changeCategories)[number]

/** The verdicts about two states, worst first. */
export const stateVerdicts = [...changeVerdicts, 'identical'] as const
export type StateVerdict = (typeof stateVerdicts)[number]

/** A kind of change: its category, and when it has which verdict. */
type Rule = { readonly category: ChangeCategory } & { readonly [Verdict in ChangeVerdict]?: string }

/** All kinds of changes, in the order in which answers list those of one verdict. */
export const compatibilityRules = {
  'dataset-removed': { category: 'structure', breaking: 'the group is gone, or has no arrays any more' },
  'dataset-unreadable': {
    category: 'structure',
    breaking: 'xarray can no longer open the dataset, for the `reason` that it gives',
    unknown:
      'xarray could open it neither before nor after, and its documents differ; or Floe could not read it because it ' +
      'exceeds a limit',
  },
  'variable-removed': { category: 'structure', breaking: 'the variable is gone' },
  'dimension-removed': { category: 'structure', breaking: 'no variable has the dimension any more' },
  'dimensions-changed': { category: 'structure', breaking: 'names or order of the dimensions of a variable' },
  'size-shrunk': { category: 'structure', breaking: 'the dimension is shorter' },
  'role-changed': { category: 'structure', breaking: 'a coordinate became a data variable, or the reverse' },
  'type-changed': {
    category: 'structure',
    breaking:
      'the dtype of a variable, as `dict` shows it. `widened` is true if the new type holds every value of the old ' +
      'one exactly, which `float64` does not for `int64`',
  },
  'index-added': {
    category: 'structure',
    breaking: 'the dimension got a coordinate, which changes `.sel` and arithmetic',
  },
  'units-changed': {
    category: 'meaning',
    breaking: 'changed or removed',
    compatible: 'added, or another spelling of the same unit, such as `m/s` for `m s-1`',
  },
  'standard-name-changed': {
    category: 'meaning',
    breaking: 'changed or removed',
    compatible: 'added, or an alias of the same name in the table of CF',
  },
  'calendar-changed': {
    category: 'meaning',
    breaking:
      'the calendar of times that xarray decodes to objects. Synonyms are equal: `noleap` and `365_day`, `standard`, ' +
      '`gregorian` and none',
  },
  'meaning-changed': {
    category: 'meaning',
    breaking:
      'an attribute that says what values mean or which way they run, such as `positive`, `cell_methods`, ' +
      '`grid_mapping` or `GRIB_stepType`, or one that defines a grid mapping, was changed or removed',
    compatible: 'one of these was added',
  },
  'values-reinterpreted': {
    category: 'values',
    breaking:
      'stored values are decoded in another way: scale, offset, mask, time units, codecs, stored type or chunk grid ' +
      'changed, but the array was not replaced and none of its chunks were written',
    unknown: 'the same, but it is unknown whether chunks were written',
  },
  'fill-value-changed': {
    category: 'values',
    unknown: 'only the `fill_value` of an array that was not replaced; chunks that were never written have that value',
  },
  'dataset-added': {
    category: 'structure',
    unknown: 'xarray cannot open the new dataset',
    compatible: 'a new dataset',
  },
  'dataset-readable-again': { category: 'structure', compatible: 'xarray could not open the dataset before' },
  'variable-added': { category: 'structure', compatible: 'a new variable' },
  'dimension-added': { category: 'structure', compatible: 'a new dimension' },
  'size-grown': {
    category: 'structure',
    breaking: 'the dimension is longer than the size that a contract fixes',
    unknown:
      'its coordinate was replaced, or without one all of its arrays, as `to_zarr(mode="w")` does, so that earlier ' +
      'positions may be gone',
    compatible: 'the dimension is longer: arrays were extended, or its coordinate has times',
  },
  'text-width-changed': {
    category: 'structure',
    compatible: 'the length of fixed-width text or bytes, such as `<U5` and `<U7`, longer or shorter',
  },
  'attribute-changed': { category: 'meaning', compatible: 'any other attribute of a variable' },
  'group-attributes-changed': {
    category: 'meaning',
    compatible: 'an attribute of a group, also of a group without arrays',
  },
  'encoding-changed': {
    category: 'cost',
    compatible:
      'chunks, shards, codecs, packing or the encoding of times, and the array was replaced or chunks were written; ' +
      'or only chunks, shards and codecs of an array that has no chunk',
  },
} as const satisfies Record<string, Rule>

/** Attributes that say what the values of a variable mean or which way they run, by their sources. */
export const meaningAttributes: Readonly<Record<string, readonly string[]>> = {
  'CF 1.11, appendix A': splitNames(
    'axis bounds cell_measures cell_methods cf_role climatology compress computed_standard_name ' +
      'coordinate_interpolation formula_terms geometry geometry_type grid_mapping instance_dimension interior_ring ' +
      'interpolation_name leap_month leap_year month_lengths node_coordinates node_count nodes part_node_count ' +
      'positive sample_dimension tie_point_mapping units_metadata',
  ),
  'UGRID 1.0': splitNames('location mesh start_index topology_dimension'),
  'netCDF-Java': splitNames(
    '_CoordinateAxisType _CoordinateZisPositive Grib_Ensemble_Derived_Type Grib_Level_Type Grib_Parameter ' +
      'Grib_Probability_Type Grib_Statistical_Interval_Type Grib_Variable_Id Grib1_Level_Type Grib1_Parameter ' +
      'Grib2_Level_Type Grib2_Parameter',
  ),
  'usual in data': splitNames(
    'AREA_OR_POINT datum direction direction_convention healpix_nside healpix_order level_type positive_direction ' +
      'reference_datum reference_frame sign_convention stagger stepType step_type typeOfLevel vertical_datum ' +
      'water_level_reference_datum',
  ),
}

/** Beginnings of others: those of flags (CF 1.11, section 3.5), and the keys of GRIB that cfgrib keeps. */
export const meaningPrefixes = ['flag_', 'GRIB_'] as const

/**
 * Keys of GRIB that say nothing about values: about the message and its producer, sizes, and names that another version
 * of ecCodes may spell in another way. Source: `cfgrib/dataset.py`.
 */
export const harmlessGribKeys: readonly string[] = splitNames(
  'GRIB_NV GRIB_Nx GRIB_Ny GRIB_centre GRIB_centreDescription GRIB_cfName GRIB_cfVarName GRIB_edition ' +
    'GRIB_gridDefinitionDescription GRIB_missingValue GRIB_name GRIB_numberOfPoints GRIB_pl GRIB_subCentre ' +
    'GRIB_totalNumber',
)

/** Attributes for people, which define nothing in a grid mapping either. Source: CF 1.11, appendix A. */
export const descriptiveAttributes: readonly string[] = splitNames(
  'comment description history institution long_name references source title',
)

function splitNames(text: string): readonly string[] {
  return text.split(' ')
}

export type ChangeKind = keyof typeof compatibilityRules

/** The verdicts that a kind of change can have. */
export type VerdictOf<Kind extends ChangeKind> = Extract<keyof (typeof compatibilityRules)[Kind], ChangeVerdict>

// The keys of a constant object are its type's; Object.keys only promises strings.
export const changeKinds = Object.keys(compatibilityRules) as readonly ChangeKind[]

/** The category and the verdicts of a kind, without the narrow types of the table. */
export function findRule(kind: ChangeKind): Rule {
  return compatibilityRules[kind]
}
