//! React hooks of the wallet button.

import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ChainNamespace } from '../options.ts'
import { createAppKitWalletButton, type WalletButtonAccount, type WalletName } from './walletButton.ts'

interface Handlers<T> {
  onSuccess?(data: T): void
  onError?(error: Error): void
}

/** State of a call: its last answer or error, and whether it runs. */
export interface CallState<T> {
  readonly data: T | undefined
  readonly error: Error | undefined
  readonly isPending: boolean
  readonly isError: boolean
  readonly isSuccess: boolean
}

export interface WalletHookOptions extends Handlers<WalletButtonAccount> {
  readonly namespace?: ChainNamespace
}

export interface WalletHook extends CallState<WalletButtonAccount> {
  /** Whether `connect` may be called. */
  readonly isReady: boolean
  /** Connects this wallet. A failure is in `error` and told to `onError`; the promise never rejects. */
  connect(wallet: WalletName): Promise<void>
}

export interface UpdateEmailHook extends CallState<{ readonly email: string }> {
  /** Opens the form for a new address. A failure is in `error` and told to `onError`; the promise never rejects. */
  updateEmail(): Promise<void>
}

/** Connects wallets by their names. */
export function useAppKitWallet({ namespace, ...handlers }: WalletHookOptions = {}): WalletHook {
  const button = useMemo(() => createAppKitWalletButton({ namespace }), [namespace])
  const isReady = useSyncExternalStore(button.subscribeIsReady, button.isReady, () => false)
  const { state, run } = useCall(handlers)
  const connect = useCallback((wallet: WalletName) => run(() => button.connect(wallet)), [button, run])
  return { ...state, isReady, connect }
}

/** Changes the address of the login by email. */
export function useAppKitUpdateEmail(handlers: Handlers<{ readonly email: string }> = {}): UpdateEmailHook {
  const { state, run } = useCall(handlers)
  const updateEmail = useCallback(() => run(() => createAppKitWalletButton().updateEmail()), [run])
  return { ...state, updateEmail }
}

const idle = { data: undefined, error: undefined, isPending: false, isError: false, isSuccess: false }

function useCall<T>(handlers: Handlers<T>) {
  const [state, setState] = useState<CallState<T>>(idle)
  // The handlers of the last render, so that `run` stays the same function.
  const latest = useRef(handlers)
  latest.current = handlers
  const run = useCallback(async (call: () => Promise<T>) => {
    setState({ ...idle, isPending: true })
    try {
      const data = await call()
      setState({ ...idle, data, isSuccess: true })
      latest.current.onSuccess?.(data)
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      setState({ ...idle, error, isError: true })
      latest.current.onError?.(error)
    }
  }, [])
  return { state, run }
}
