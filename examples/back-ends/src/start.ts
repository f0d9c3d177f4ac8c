//! Starts the back end that is named: `npm start -w examples/back-ends -- express`.

import { isBackEnd, start } from './servers.ts'

const name = process.argv[2] ?? 'express'
if (!isBackEnd(name)) throw new Error(`There is no back end ${name}.`)
const { origin } = await start(name, Number(process.env.PORT ?? 4000))
console.log(`${name} listens on ${origin}`)
