//! React components for the buttons and the provider.

import { createElement, type HTMLAttributes, type ReactElement, type ReactNode, useState } from 'react'
import type { ChainNamespace, CreateAppKit } from './options.ts'
import { createAppKit } from './single.ts'

type Element = Pick<HTMLAttributes<HTMLElement>, 'id' | 'className' | 'slot'>

export interface AppKitConnectButtonProps extends Element {
  /** Default `md`. */
  readonly size?: 'sm' | 'md' | 'lg'
  /** Default "Connect Wallet". */
  readonly label?: string
  /** Default "Connecting...". */
  readonly loadingLabel?: string
  readonly namespace?: ChainNamespace
  readonly disabled?: boolean
}

export interface AppKitAccountButtonProps extends Element {
  readonly disabled?: boolean
  /** Default `show`. */
  readonly balance?: 'show' | 'hide'
  /** Number of characters shown at the start of the address. Default 4. */
  readonly charsStart?: number
  /** Number of characters shown at the end of the address. Default 6. */
  readonly charsEnd?: number
  readonly namespace?: ChainNamespace
}

export type AppKitButtonProps = AppKitConnectButtonProps & AppKitAccountButtonProps

export interface AppKitNetworkButtonProps extends Element {
  readonly disabled?: boolean
  readonly label?: string
}

/** Connect button that turns into the account button once connected. */
export function AppKitButton(props: AppKitButtonProps): ReactElement {
  return element('appkit-button', props)
}

export function AppKitConnectButton(props: AppKitConnectButtonProps): ReactElement {
  return element('appkit-connect-button', props)
}

export function AppKitAccountButton(props: AppKitAccountButtonProps): ReactElement {
  return element('appkit-account-button', props)
}

export function AppKitNetworkButton(props: AppKitNetworkButtonProps): ReactElement {
  return element('appkit-network-button', props)
}

/** React 18 would write `disabled={false}` as text, and `className` as an attribute of that name. */
function element(name: string, { disabled, className, ...rest }: AppKitButtonProps): ReactElement {
  return createElement(name, { ...rest, class: className, disabled: disabled ? '' : undefined })
}

export interface AppKitProviderProps extends CreateAppKit {
  readonly children?: ReactNode
}

/** Creates the modal with the options of its first render, for the components inside. */
export function AppKitProvider({ children, ...options }: AppKitProviderProps): ReactNode {
  useState(() => createAppKit(options))
  return children
}
