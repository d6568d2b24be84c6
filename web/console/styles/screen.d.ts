/** Text of a style sheet, as the build puts it into the script of its screen. */
declare module '*.screen.css' {
  const css: string
  export default css
}
