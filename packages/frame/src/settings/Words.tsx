import { type KeyboardEvent, useState, useSyncExternalStore } from 'react'
import { words } from '../text/words.ts'
import { Press, type Shown } from './parts.tsx'

/** Recovery phrase and keys, each drawn only while its button is held. */
export function Words({ secrets, dispatch }: Shown) {
  const t = words().settings
  const secret = useSyncExternalStore(secrets.subscribe, () => secrets.secret)
  const [copied, note] = useState<string>()
  if (secret?.type !== 'words') return null
  const copy = async (text: string) => {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false
    )
    note(done ? t.copied : t.uncopied)
  }
  const names: Readonly<Record<string, string>> = t.keyOf
  return (
    <>
      <h1>{t.wordsTitle}</h1>
      <p className="flags blocked">{t.wordsHint}</p>
      <Held title={t.phrase} text={secret.words} copy={copy} />
      {secret.keys.map(({ namespace, address, key }) => (
        <Held key={namespace} title={names[namespace] ?? namespace} hint={address} text={key} copy={copy} />
      ))}
      <p role="status">{copied}</p>
      <Press kind="primary" act={() => dispatch({ type: 'settingsLeft' })}>
        {t.done}
      </Press>
    </>
  )
}

interface Secret {
  readonly title: string
  readonly hint?: string
  readonly text: string
  copy(text: string): void
}

function Held({ title, hint, text, copy }: Secret) {
  const t = words().settings
  const [held, hold] = useState(false)
  const hide = () => hold(false)
  const byKey = ({ key, nativeEvent }: KeyboardEvent) => {
    if (nativeEvent.isTrusted && (key === ' ' || key === 'Enter')) hold(true)
  }
  return (
    <div className="secret" data-secret={title}>
      <strong>{title}</strong>
      {hint && <bdi className="soft">{hint}</bdi>}
      <div className="row">
        <button
          type="button"
          className="button"
          onPointerDown={({ nativeEvent }) => nativeEvent.isTrusted && hold(true)}
          onPointerUp={hide}
          onPointerLeave={hide}
          onPointerCancel={hide}
          onKeyDown={byKey}
          onKeyUp={hide}
          onBlur={hide}
          onContextMenu={(event) => event.preventDefault()}
        >
          {t.hold}
        </button>
        <Press act={() => copy(text)} label={`${t.copy}: ${title}`}>
          {t.copy}
        </Press>
      </div>
      {/* Below its button, which must not move from under the finger that holds it. */}
      <output className="text" translate="no">
        <bdi dir="ltr">{held ? text : '•••• •••• ••••'}</bdi>
      </output>
    </div>
  )
}
