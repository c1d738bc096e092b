// Names under which products state their box, their time and their title, with the source of each. Where a dataset has
// several, the first counts.

type Spelling = { readonly source: string }

type EdgeSpelling = Spelling & {
  readonly edges: readonly [west: string, south: string, east: string, north: string]
  /** Attributes with the units of these numbers; degrees where they are absent. */
  readonly units?: readonly string[]
}

const eos = 'ECS Core Metadata of EOS'
const eosOfGdal = 'the same, as the drivers of GDAL for HDF write it'

export const edgeSpellings: readonly EdgeSpelling[] = [
  {
    edges: ['geospatial_lon_min', 'geospatial_lat_min', 'geospatial_lon_max', 'geospatial_lat_max'],
    units: ['geospatial_lon_units', 'geospatial_lat_units'],
    source: 'ACDD 1.3',
  },
  {
    edges: ['westernmost_longitude', 'southernmost_latitude', 'easternmost_longitude', 'northernmost_latitude'],
    source: 'GHRSST Data Specification 2',
  },
  {
    edges: [
      'geospatial_westbound_longitude',
      'geospatial_southbound_latitude',
      'geospatial_eastbound_longitude',
      'geospatial_northbound_latitude',
    ],
    source: 'GOES-R Product Definition and Users Guide: attributes of the variable geospatial_lat_lon_extent',
  },
  {
    edges: ['WesternmostLongitude', 'SouthernmostLatitude', 'EasternmostLongitude', 'NorthernmostLatitude'],
    source: 'File Specification for MERRA-2',
  },
  {
    edges: ['WestBoundingCoordinate', 'SouthBoundingCoordinate', 'EastBoundingCoordinate', 'NorthBoundingCoordinate'],
    source: eos,
  },
  {
    edges: ['WESTBOUNDINGCOORDINATE', 'SOUTHBOUNDINGCOORDINATE', 'EASTBOUNDINGCOORDINATE', 'NORTHBOUNDINGCOORDINATE'],
    source: eosOfGdal,
  },
  {
    edges: ['westBoundLongitude', 'southBoundLatitude', 'eastBoundLongitude', 'northBoundLatitude'],
    source: 'ISO 19115, as the products of SMAP have it in Metadata/Extent',
  },
  {
    edges: ['longitude_min', 'latitude_min', 'longitude_max', 'latitude_max'],
    source: 'Copernicus Marine Service, product user manuals of Mercator Ocean',
  },
]

/** Attributes with the corners of a polygon: pairs of longitude and latitude. */
export const polygonSpellings: readonly (Spelling & { readonly name: string })[] = [
  { name: 'geo_polygon', source: 'ITS_LIVE data cubes' },
]

/** Each end is one attribute, or one with the date and one with the time of the day. */
type PeriodSpelling = Spelling & { readonly start: readonly string[]; readonly end: readonly string[] }

export const periodSpellings: readonly PeriodSpelling[] = [
  { start: ['time_coverage_start'], end: ['time_coverage_end'], source: 'ACDD 1.3' },
  { start: ['start_datetime'], end: ['end_datetime'], source: 'STAC 1.1, common metadata' },
  { start: ['datetime'], end: ['datetime'], source: 'STAC 1.1, items' },
  { start: ['start_date'], end: ['end_date'], source: 'anemoi-datasets' },
  { start: ['start_time'], end: ['stop_time'], source: 'GHRSST Data Specification 2; SAFE manifests of Sentinel' },
  { start: ['start_time'], end: ['end_time'], source: 'satpy' },
  { start: ['RangeBeginningDate', 'RangeBeginningTime'], end: ['RangeEndingDate', 'RangeEndingTime'], source: eos },
  {
    start: ['RANGEBEGINNINGDATE', 'RANGEBEGINNINGTIME'],
    end: ['RANGEENDINGDATE', 'RANGEENDINGTIME'],
    source: eosOfGdal,
  },
  { start: ['rangeBeginningDateTime'], end: ['rangeEndingDateTime'], source: 'SMAP, Metadata/Extent' },
  { start: ['StartTime'], end: ['EndTime'], source: 'VIIRS level 1B of NASA' },
  { start: ['StartUTC'], end: ['EndUTC'], source: 'HDF-EOS Aura File Format Guidelines' },
  { start: ['sensing_start_time_utc'], end: ['sensing_end_time_utc'], source: 'EPS-SG Generic Format Specification' },
  { start: ['START_DATE'], end: [], source: 'WRF' },
  { start: ['config_start_time'], end: ['config_stop_time'], source: "MPAS-Atmosphere Users' Guide" },
  { start: ['SENSING_TIME'], end: ['SENSING_TIME'], source: 'HLS Product User Guide 2.0' },
  { start: ['valid_time_start'], end: ['valid_time_stop'], source: 'ARCO ERA5' },
]

export const titleSpellings: readonly (Spelling & { readonly name: string })[] = [
  { name: 'title', source: 'CF 1.11, section 2.6.2' },
  { name: 'Title', source: 'File Specification for MERRA-2' },
  { name: 'TITLE', source: 'WRF' },
  { name: 'LongName', source: eos },
  { name: 'LONGNAME', source: eosOfGdal },
]

export const institutionSpellings: readonly (Spelling & { readonly name: string })[] = [
  { name: 'institution', source: 'CF 1.11, section 2.6.2' },
  { name: 'Institution', source: 'File Specification for MERRA-2' },
]

export const summarySpellings: readonly (Spelling & { readonly name: string })[] = [
  { name: 'summary', source: 'ACDD 1.3' },
  { name: 'description', source: 'STAC 1.1, common metadata' },
  { name: 'readme', source: 'metadata of repositories, which has no convention yet' },
  { name: 'README', source: 'the same' },
]
