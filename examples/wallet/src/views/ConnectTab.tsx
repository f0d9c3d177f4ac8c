import { lazy, Suspense, useState } from 'react'
import { scanPicture } from '../scan/picture.ts'
import { countdown } from '../wallet/text.ts'
import { type WalletView, waitingWords } from '../wallet/view.ts'
import type { Wallet } from '../wallet/wallet.ts'

/** The camera view and the decoder are loaded when the user starts a scan. */
const Camera = lazy(() => import('./Camera.tsx').then(({ Camera }) => ({ default: Camera })))

export function ConnectTab({ wallet, view }: { wallet: Wallet; view: WalletView }) {
  const [text, setText] = useState('')
  const [scanning, setScanning] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [over, setOver] = useState(false)
  const { pairing } = view
  const take = (found: string) => {
    setFault(null)
    setScanning(false)
    void wallet.take(found)
    // A link that can't be read stays, so that the user sees what was pasted and can mend it.
    setText(wallet.view().pairing.phase === 'failed' ? found : '')
  }
  const takePicture = async (picture: Blob | undefined) => {
    if (!picture) return
    const found = await scanPicture(picture)
    if (found === null) setFault('No code found in this picture. Try another.')
    else take(found)
  }
  const told = fault ?? (pairing.phase === 'failed' ? pairing.words : null)
  return (
    // Pictures can be dropped anywhere on the section; the button is the alternative to dragging.
    <section
      aria-labelledby="connect-heading"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const dropped = event.dataTransfer.getData('text')
        if (dropped) take(dropped)
        else void takePicture(event.dataTransfer.files[0])
      }}
    >
      <h1 id="connect-heading">Connect to an app</h1>
      <form
        className="card"
        data-over={over || undefined}
        onSubmit={(event) => {
          event.preventDefault()
          take(text)
        }}
      >
        <p className="soft">
          In the app, choose WalletConnect. Then scan its code, or copy its link and paste it here.
        </p>
        <label>
          Link
          <input
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            placeholder="wc:…"
            data-testid="uri-input"
            value={text}
            aria-invalid={told !== null}
            aria-describedby="uri-fault"
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <p id="uri-fault" className="fault" role="alert" data-testid="uri-fault">
          {told}
        </p>
        <button type="submit" className="primary wide" data-testid="uri-connect-button" disabled={text.trim() === ''}>
          Connect
        </button>
        <div className="row">
          <button
            type="button"
            data-testid="scan-button"
            aria-pressed={scanning}
            onClick={() => setScanning(!scanning)}
          >
            {scanning ? 'Stop camera' : 'Scan'}
          </button>
          <label className="button">
            Choose picture
            <input
              type="file"
              accept="image/*"
              className="unseen"
              data-testid="picture-input"
              onChange={({ target }) => {
                void takePicture(target.files?.[0])
                target.value = ''
              }}
            />
          </label>
        </div>
        {scanning && (
          <Suspense fallback={<p className="soft">One moment…</p>}>
            <Camera
              found={take}
              failed={(words) => {
                setScanning(false)
                setFault(words)
              }}
            />
          </Suspense>
        )}
      </form>
      {pairing.phase === 'waiting' && (
        <div className="card" data-testid="pairing-waiting">
          <p role="status">{waitingWords(view)}</p>
          <div className="row">
            {pairing.expiry !== null && pairing.expiry > view.now && (
              <bdi className="soft">{countdown(pairing.expiry - view.now)} left</bdi>
            )}
            <button type="button" className="plain" onClick={() => wallet.stopWaiting()}>
              Cancel
            </button>
          </div>
        </div>
      )}
    </section>
  )
}
