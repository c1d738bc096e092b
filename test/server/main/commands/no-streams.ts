/** For the terminals of commands that talk with no program and no person. */
export const noStreams = {
  isInteractive: false,
  replaceLine: () => {},
  listenForHangUps: async function* () {},
  openStreams: () => {
    throw new Error('this command opens no streams')
  },
}
