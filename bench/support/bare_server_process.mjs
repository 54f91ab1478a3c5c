// The least that a Node.js server can do: read the body, answer the same bytes (its first argument
// names the file that holds them). A process of its own, as the node is.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const answer = readFileSync(process.argv[2])
const server = createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(answer)
  })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
