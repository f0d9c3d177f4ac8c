//! Direction and theme of the page itself, which the host sets, not the widget.

export function dressPage(url: string): void {
  const parameters = new URL(url).searchParams
  const page = document.documentElement
  page.dir = parameters.get('dir') ?? 'ltr'
  page.lang = parameters.get('locale') ?? 'en'
  const theme = parameters.get('theme')
  if (theme) page.dataset.theme = theme
}
