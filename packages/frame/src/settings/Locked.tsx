import { filled, listed, words } from '../text/words.ts'
import { PasswordForm } from './Password.tsx'
import { Fault, Press, type Shown } from './parts.tsx'

/** The wallet of a login for which the server has no share: a kit, a passkey or a password opens it. */
export function Locked(shown: Shown) {
  const { settings, dispatch } = shown
  const t = words().settings
  const { busy, fault, ways } = settings
  const keys = ['passkey', 'password', 'kit'] as const
  const has = (wanted: string) => ways.some(({ kind }) => kind === wanted)
  const own = keys.filter(has).map((kind) => t.lockedBy[kind])
  return (
    <>
      <h1>{t.lockedTitle}</h1>
      <p className="hint">{filled(t.lockedHint, listed(own))}</p>
      <Fault text={fault} />
      {has('passkey') && (
        <Press kind="primary" disabled={busy} act={() => dispatch({ type: 'passkeyUsed' })}>
          {t.usePasskey}
        </Press>
      )}
      {has('password') && (
        <PasswordForm
          {...shown}
          label={t.password}
          use="current-password"
          action={t.byPassword}
          primary={!has('passkey')}
        />
      )}
      {has('kit') && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const typed = new FormData(event.currentTarget).get('code')
            dispatch({ type: 'kitTyped', code: String(typed ?? '') })
          }}
        >
          <label htmlFor="code">{t.code}</label>
          <input
            id="code"
            name="code"
            dir="ltr"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="XXXX-XXXX-XXXX-XXXX-XXXX-XXXX-XXXX"
          />
          <button
            type="submit"
            className={has('passkey') || has('password') ? 'button' : 'button primary'}
            disabled={busy}
          >
            {t.open}
          </button>
        </form>
      )}
      <p role="status">{busy ? t.working : ''}</p>
      <Press act={() => dispatch({ type: 'settingsClosed' })}>{t.cancel}</Press>
    </>
  )
}

/** Login without an address. */
export function Login({ settings, dispatch }: Shown) {
  const t = words().settings
  const { busy, fault } = settings
  return (
    <>
      <h1>{t.loginTitle}</h1>
      <p className="hint">{t.loginHint}</p>
      <Fault text={fault} />
      <Press kind="primary" disabled={busy} act={() => dispatch({ type: 'passkeyUsed' })}>
        {t.usePasskey}
      </Press>
      <Press disabled={busy} act={() => dispatch({ type: 'passkeyWanted' })}>
        {t.newWallet}
      </Press>
      <p className="hint">{t.newWalletHint}</p>
      <p role="status">{busy ? t.working : ''}</p>
      <Press act={() => dispatch({ type: 'settingsClosed' })}>{t.cancel}</Press>
    </>
  )
}
