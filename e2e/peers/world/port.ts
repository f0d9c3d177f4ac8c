import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Ports below those that systems give to sockets without a number: nobody gets one of these before its server starts. */
const [LOWEST, HIGHEST] = [20_000, 32_000]

/** A port of this machine that is free, for a server that has to know its port before it starts. */
export async function freePort(): Promise<number> {
  const port = randomInt(LOWEST, HIGHEST)
  return (await isFree(port)) ? port : freePort()
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
