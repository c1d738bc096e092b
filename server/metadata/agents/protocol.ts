// Everything that loads the library of the Model Context Protocol, as one module that is imported when it is needed.
export { answerMessage } from './answer-message.ts'
export { makeMcpServer } from './make-mcp-server.ts'
