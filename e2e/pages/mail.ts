//! Mails of the embedded wallet, as their receiver reads them.

import { expect } from 'vitest'
import { mailsOf } from '../world/wallet.ts'

/** Link that approves a device. */
export const LINK = /http:\/\/\S+\/approve\S+/

const CODE = /\b\d{3} ?\d{3}\b/

/** First match in the newest mail to this address that has one. */
export async function mailed(wallet: string, to: string, form: RegExp): Promise<string> {
  let found: string | undefined
  await expect
    .poll(async () => {
      const texts = (await mailsOf(wallet)).filter((mail) => mail.to === to).map(({ text }) => form.exec(text)?.[0])
      found = texts.find((text) => text !== undefined)
      return found
    })
    .toBeDefined()
  return found as string
}

/** Code of a login. */
export const codeOf = async (wallet: string, to: string): Promise<string> =>
  (await mailed(wallet, to, CODE)).replace(' ', '')
