import type { WalletLogin } from '../generated/frame.ts'
import { filled, words } from '../text/words.ts'
import { Group, Line, Press, type Shown } from './parts.tsx'

/** Names of the services as visitors know them: the same in all languages. */
const names: Readonly<Record<string, string>> = {
  google: 'Google',
  x: 'X',
  discord: 'Discord',
  farcaster: 'Farcaster',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook'
}

/** Logins that open the wallet, and the services at which another one can be added. */
export function Logins({ settings, dispatch }: Shown) {
  const t = words().settings
  const { logins, services, frozen } = settings
  const act = (act: 'addLogin' | 'addEmail' | 'removeLogin', id: string | null) =>
    dispatch({ type: 'settingsActed', act, id })
  const nameOf = (word: string) => {
    if (word === 'email') return t.email
    if (word === 'jwt') return t.siteLogin
    return names[word] ?? services.find(({ id }) => id === word)?.name ?? t.openid
  }
  const titleOf = ({ provider }: WalletLogin) => nameOf(provider)
  // A wallet has one address, which its visitor changes elsewhere.
  const addsEmail = logins.every(({ id }) => id !== 'email')
  if (frozen && logins.length === 0) return null
  return (
    <>
      <Group title={t.logins}>
        {logins.map((login) => (
          <Line key={login.id} title={titleOf(login)} hint={login.name ?? ''}>
            {logins.length > 1 && (
              <Press
                kind="small"
                label={`${t.remove}: ${[titleOf(login), login.name].filter(Boolean).join(' · ')}`}
                act={() => act('removeLogin', login.id)}
              >
                {t.remove}
              </Press>
            )}
          </Line>
        ))}
      </Group>
      {!frozen && (addsEmail || services.length > 0) && (
        <div className="row even">
          {addsEmail && <Press act={() => act('addEmail', null)}>{filled(t.addLogin, t.email.toLowerCase())}</Press>}
          {services.map(({ id }) => (
            <Press key={id} act={() => act('addLogin', id)}>
              {filled(t.addLogin, nameOf(id))}
            </Press>
          ))}
        </div>
      )}
    </>
  )
}
