//! Metadata of this page for wallets: the host's, else derived from the document.

import type { Metadata } from '@portico/walletconnect/dapp'
import type { CreateAppKit } from '../../host/options.ts'
import { field } from '../json.ts'

export function metadataOf(options: CreateAppKit): Metadata {
  const given = options.metadata
  const text = (name: 'name' | 'description' | 'url'): string | undefined => {
    const value = field(given, name)
    return typeof value === 'string' && value ? value : undefined
  }
  const icons = field(given, 'icons')
  const listed = Array.isArray(icons) ? icons.filter((icon): icon is string => typeof icon === 'string') : pageIcons()
  return {
    name: text('name') ?? document.title,
    description: text('description') ?? contentOf('meta[property="og:description"],meta[name="description"]'),
    url: text('url') ?? location.origin,
    // A wallet cannot resolve relative URLs.
    icons: listed.flatMap((icon) => whole(icon) ?? [])
  }
}

function contentOf(selector: string): string {
  return document.querySelector<HTMLMetaElement>(selector)?.content ?? ''
}

function pageIcons(): string[] {
  return [...document.querySelectorAll<HTMLLinkElement>('link[rel~=icon]')].map((link) => link.href)
}

function whole(address: string): string | undefined {
  try {
    return new URL(address, document.baseURI).href
  } catch {
    return undefined
  }
}
