//! Makes the chain that the tests and the demo begin with, in the folder that is told.

import { writeWorld } from '@portico/testkit/world/write'

const folder = process.env.PORTICO_WORLD
if (!folder) throw new Error('PORTICO_WORLD must name a folder')
await writeWorld(folder)
