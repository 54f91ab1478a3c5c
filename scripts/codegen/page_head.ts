const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#8a4b1c"/><path d="M11 26V13C11 8 8 7 8 4M11 15H7M21 26V13c0-5 3-6 3-9M21 15h4" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`

export interface PageHead {
  /** What the page may do and load: directives of a Content-Security-Policy besides `default-src 'none'`. */
  policy: readonly string[]
  description: string
  style: string
}

/** What a browser is told of a page before it is shown. Pages are served on machines without a network. */
export function pageHead({ policy, description, style }: PageHead): string {
  return [
    `<meta http-equiv="Content-Security-Policy" content="${["default-src 'none'", ...policy].join('; ')}">`,
    `<meta name="description" content="${description}">`,
    `<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(ICON).toString('base64')}">`,
    `<style>${style}</style>`,
  ].join('\n  ')
}
