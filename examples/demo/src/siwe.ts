//! Sign-in of EVM accounts at a back end of the page's own, below `/siwe` of this origin: `/?siwe=`. Settings follow by name:
//! `/?siwe=required:false,sessionRefetchIntervalMs:60000`.

import type { SIWEConfig } from '@portico/widget'
import { createSIWEConfig, formatMessage, type SIWEMethods } from '@portico/widget/siwe'

type Session = Awaited<ReturnType<SIWEMethods['getSession']>>

export function siweAtBackEnd(settings: string): SIWEConfig {
  const tell = (name: 'signedIn' | 'signedOut', detail?: Session) =>
    void dispatchEvent(new CustomEvent(name, { detail }))
  return createSIWEConfig({
    getNonce: (address) => ask(`nonce?address=${address}`),
    getMessageParams: async () => ({
      domain: location.host,
      uri: location.origin,
      chains: [31337, 31338],
      statement: 'Sign in to see your orders.'
    }),
    createMessage: ({ address, ...fields }) => formatMessage(fields, address),
    verifyMessage: ({ message, signature }) => ask('verify', { message, signature }),
    getSession: () => ask('session'),
    signOut: () => ask('sign-out', {}),
    onSignIn: (session) => tell('signedIn', session ?? null),
    onSignOut: () => tell('signedOut'),
    ...settingsIn(settings)
  })
}

async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`/siwe/${path}`, body && { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The back end answered ${answer.status}`)
  return answer.json()
}

function settingsIn(text: string): object {
  const pairs = text.split(',').filter((pair) => pair !== '')
  return Object.fromEntries(pairs.map((pair) => pair.split(':')).map(([name, value = '']) => [name, JSON.parse(value)]))
}
