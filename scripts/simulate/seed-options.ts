/** The options of a run of one seed, besides the seed. */
export const seedOptions = {
  engine: { type: 'string', default: 'sqlite' },
  hours: { type: 'string', default: '1' },
  replicas: { type: 'string', default: '3' },
  repositories: { type: 'string', default: '20' },
  to: { type: 'string', default: 'Infinity' },
  show: { type: 'string', default: '50' },
} as const
