/** Response header of the views of a dataset and of the list of datasets: the id of the snapshot that the answer describes. */
export const snapshotHeader = 'floe-snapshot'
