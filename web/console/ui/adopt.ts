/** Adds the style sheet of some screens alone: it comes with their code, and every page is spared it. */
export function adopt(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
