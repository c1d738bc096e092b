/** Writes the Zarr document of a small array with these attributes. */
export function writeArrayDocument(attributes: object): string {
  return JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape: [4],
    data_type: 'float32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [4] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    dimension_names: ['x'],
    attributes,
  })
}
