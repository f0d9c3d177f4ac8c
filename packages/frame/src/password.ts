//! Module of the password (OPAQUE): a part of its own, because few visitors have one.

import initialise, { command, __wbg_reset_state as renew } from '../wasm/password.js'

let loading: Promise<unknown> | undefined

/** Performs the JSON of a command. After the last one the module begins anew: its memory, which the slow hash made large, is let go. */
export async function perform(json: string): Promise<string> {
  loading ??= initialise({ module_or_path: fetch(new URL('../wasm/password_bg.wasm', import.meta.url)) }).catch(
    (error: unknown) => {
      loading = undefined
      throw error
    }
  )
  await loading
  let goesOn = false
  try {
    const answer = command(json)
    goesOn = JSON.parse(answer).type === 'asked'
    return answer
  } finally {
    if (!goesOn) renew()
  }
}
