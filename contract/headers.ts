/** Response header of the dataset views and the dataset list: the id of the snapshot that the answer describes. */
export const snapshotHeader = 'floe-snapshot'
