//! Creates the chain state that the tests and the demo start from, in the folder that `PORTICO_WORLD` names.

import { writeWorld } from '@portico/testkit/world/write'

const folder = process.env.PORTICO_WORLD
if (!folder) throw new Error('PORTICO_WORLD must name a folder')
await writeWorld(folder)
