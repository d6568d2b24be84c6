/** How the cells of a sheet become text. */

/** ECMA-376 18.8.30: the built-in number formats that show a day. */
const DATAS_EMBUTIDAS = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
])

export function isFormatoDeData(id: number, codigo: string | undefined): boolean {
  if (codigo === undefined) return DATAS_EMBUTIDAS.has(id)
  // Only the letters count: not quoted text, escaped characters, colours or locales; [h] is hours.
  const letras = codigo
    .split(';', 1)
    .join('')
    .toLowerCase()
    .replace(/"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^[\]]*\]/g, '')
  if (letras.includes('general')) return false
  if (/[dy]/.test(letras)) return true
  // An m alone is a month; beside hours or seconds it is minutes.
  return letras.includes('m') && !/[hs]/.test(letras)
}

const MS_POR_DIA = 86_400_000
const ULTIMO_DIA = 2_958_465 // 9999-12-31

/** A serial day as YYYY-MM-DD; null if it is none (a time without a day, a negative number). */
export function formatData(serial: number, sistema1904: boolean): string | null {
  const dia = Math.floor(serial) + (sistema1904 ? 1462 : 0)
  if (!(dia >= 1 && dia <= ULTIMO_DIA)) return null
  // The 1900 system counts a 29 February 1900 that never was.
  const desde = dia < 60 ? dia + 1 : dia
  return new Date(Date.UTC(1899, 11, 30) + desde * MS_POR_DIA).toISOString().slice(0, 10)
}

/** A number the way a person would type it: `10`, not `10.0` or `1E1`. */
export function formatNumero(texto: string): string {
  if (/^-?\d+$/.test(texto)) return texto
  const numero = Number(texto)
  if (texto === '' || !Number.isFinite(numero)) return texto
  const curto = String(numero)
  if (!curto.includes('e')) return curto
  if (Math.abs(numero) >= 1e21) return BigInt(numero).toString()
  return numero.toFixed(20).replace(/\.?0+$/, '')
}

/** ECMA-376 22.9.2.19: _x000D_ stands for a character; a control character becomes a space. */
export function decodeTexto(texto: string): string {
  if (!texto.includes('_x')) return texto
  return texto.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => {
    const codigo = Number.parseInt(hex, 16)
    return codigo < 32 ? ' ' : String.fromCharCode(codigo)
  })
}

/** `AB12` → 27; null without letters. */
export function columnOf(referencia: string): number | null {
  let coluna = 0
  for (let i = 0; i < referencia.length && i < 4; i++) {
    const letra = (referencia.charCodeAt(i) | 32) - 96
    if (letra < 1 || letra > 26) break
    coluna = coluna * 26 + letra
  }
  return coluna === 0 ? null : coluna - 1
}
