/** Style of the HTML: one column on light ground, the look of the console; A4 when printed. */

/** Text of a `content` of CSS: all but letters, digits and a few harmless signs by their number. */
export const cssString = (text: string): string =>
  `"${text.replaceAll(/[^\p{L}\p{N} ,.()·-]/gu, (sign) => `\\${(sign.codePointAt(0) as number).toString(16)} `)}"`

interface StyleParts {
  /** Base64 of the variable font. */
  font: string
  /** Printed on every page. */
  header: string
}

export const styleOf = ({ font, header }: StyleParts): string => `
@font-face{font-family:"Public Sans";font-weight:100 900;font-display:swap;src:url(data:font/woff2;base64,${font}) format("woff2")}
:root{color-scheme:light;--ink:#14252b;--soft:#4b5d63;--line:#e0ddd2;--line2:#c9c6ba;--ground:#f5f4ef;--brand:#0b6577;--rail:#0b2f39}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 "Public Sans",system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;-webkit-text-size-adjust:100%;overflow-wrap:break-word}
header,main{max-width:816px;margin:0 auto;padding:0 48px;background:#fff}
header{padding-top:40px;padding-bottom:28px;border-top:8px solid var(--rail)}
main{padding-bottom:48px}
.kind{margin:0 0 10px;color:var(--brand);font-size:13px;font-weight:700;letter-spacing:.07em;text-transform:uppercase}
h1{margin:0 0 6px;font-size:32px;line-height:1.18;letter-spacing:-.012em}
.place{margin:0;font-size:21px;font-weight:600}
.when{margin:8px 0 0;color:var(--soft)}
.methods{margin:20px 0 0;padding:12px 0 0;border-top:1px solid var(--line);color:var(--soft);font-size:14.5px}
.methods p{margin:0 0 6px}
.public{display:inline-block;margin:14px 0 0;padding:3px 10px;border:1px solid var(--line2);border-radius:99px;font-size:14px;font-weight:600}
.words{margin:0 0 24px;padding:14px 18px;border-left:4px solid var(--brand);background:#f0f5f5}
.words b{display:block;margin-bottom:4px}
.words ul{margin:0;padding-left:20px}
.words p{margin:0;white-space:pre-line}
.figures{display:grid;grid-template-columns:repeat(3,1fr);margin:0 0 24px;border:1px solid var(--line2);border-radius:10px;overflow:hidden}
.figures>div{margin:0 -1px -1px 0;padding:14px 18px;border-right:1px solid var(--line);border-bottom:1px solid var(--line)}
.figures>.level{grid-column:1/-1;background:#f7f6f2}
.figures dt{color:var(--soft);font-size:14px}
.figures dd{margin:0;color:var(--soft);font-size:14px;line-height:1.4}
.figures dd.value{color:var(--ink);font-size:27px;font-weight:700;line-height:1.3;letter-spacing:-.01em;font-variant-numeric:tabular-nums}
.figures .level dd.value{display:flex;gap:10px;align-items:center;font-size:23px}
.disease{margin:0 0 8px;font-size:18px;font-weight:700}
h2{margin:40px 0 8px;padding-top:14px;border-top:2px solid var(--rail);font-size:22px;line-height:1.25;letter-spacing:-.008em}
h3{margin:24px 0 6px;font-size:18px}
p{margin:0 0 12px}
figure{margin:14px 0 18px}
figcaption,.caption{margin:0 0 8px;font-weight:600}
.drawing{display:block;width:100%;height:auto}
.drawing text{font-family:"Public Sans",system-ui,sans-serif;font-variant-numeric:tabular-nums}
.narrow{display:none}
.legend{display:flex;flex-wrap:wrap;gap:6px 20px;margin:10px 0 0;padding:0;list-style:none;color:var(--soft);font-size:14px}
.legend li{display:flex;gap:8px;align-items:center}
.legend svg,.level-word svg,.value svg{flex:none}
details{margin:10px 0 0;border:1px solid var(--line);border-radius:8px}
summary{padding:8px 14px;cursor:pointer;color:var(--brand);font-size:14.5px;font-weight:600}
summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
details .scroll{border-top:1px solid var(--line);padding:0 14px}
.scroll{position:relative;max-width:100%;overflow-x:auto}
.plain{margin:14px 0 22px}
table{width:100%;border-collapse:collapse;font-size:14.5px;font-variant-numeric:tabular-nums}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:6px 10px 6px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{border-bottom-color:var(--line2);color:var(--soft);font-size:13.5px;font-weight:600;vertical-align:bottom}
tbody th{font-weight:400}
.n{padding-left:10px;padding-right:0;text-align:right}
td:not(.n):not(:first-child),thead th:not(.n):not(:first-child){padding-left:18px}
.level-word{display:inline-flex;gap:7px;align-items:center;white-space:nowrap}
.notes{margin:0;padding-left:20px;color:var(--soft);font-size:14.5px}
.notes li{margin:0 0 6px}
@media (max-width:640px){
header,main{padding-left:16px;padding-right:16px}
header{padding-top:24px}
h1{font-size:25px}
.place{font-size:18px}
.figures{grid-template-columns:1fr 1fr}
.figures>div{padding:12px}
.figures dd.value{font-size:22px}
.figures .level dd.value{font-size:19px}
.wide{display:none}
.narrow{display:block}
}
@media (max-width:380px){.figures{grid-template-columns:1fr}}
@page{size:A4;margin:18mm 15mm 16mm}
@page{@top-left{content:${cssString(header)};font:8.5pt "Public Sans",sans-serif;color:#4b5d63}@bottom-right{content:counter(page) " / " counter(pages);font:8.5pt "Public Sans",sans-serif;color:#4b5d63}}
@page:first{@top-left{content:none}}
@media print{
body{background:#fff;font-size:10.5pt}
header,main{max-width:none;padding-left:0;padding-right:0}
header{padding-top:12px}
.wide{display:block}
.narrow{display:none}
.figures{grid-template-columns:repeat(3,1fr)}
h2,h3,figcaption,.caption,p:has(+figure),p:has(+p+figure){break-after:avoid}
figure>svg,.figures,.words,tr,.legend{break-inside:avoid}
thead{display:table-header-group}
.scroll{overflow:visible}
table,summary,.legend,.figures dt,.figures dd,.notes,.methods{font-size:9pt}
th,td{padding-top:2px;padding-bottom:2px}
details{border:0}
details .scroll{padding:0;border:0}
summary{padding:0;color:var(--ink);list-style:none}
summary::-webkit-details-marker{display:none}
details::details-content{content-visibility:visible;block-size:auto}
.figures>div,.words{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`
