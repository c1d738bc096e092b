/** For the terminals of commands that talk with no program. */
export const noStreams = {
  openStreams: () => {
    throw new Error('this command opens no streams')
  },
}
