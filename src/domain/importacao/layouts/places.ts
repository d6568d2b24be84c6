import type { Municipio, Municipios } from '../../../brasil/municipios.ts'
import { type CampoValue, PLACES } from '../../casos/campos.ts'
import { findMunicipio } from '../../casos/municipio.ts'
import { quoted, type ReadColumn, type WarningCause, warn } from './cells.ts'
import { ufOfCodigo } from './states.ts'
import { isDigits, isMissing, withoutFraction } from './values.ts'

/** Parsers of municipalities. */

/** Distinct municipalities remembered per column. */
const MAX_CACHED = 10_000

/** Municipality by code or name; of unknown ones the state at best. */
interface Place {
  municipio: Municipio | null
  uf: string | null
  aviso: (WarningCause & { message: string }) | null
}

const STATE_OF = Object.fromEntries(PLACES) as Record<PlacePair[0], PlacePair[1]>
type PlacePair = (typeof PLACES)[number]

export function municipioReader(campo: PlacePair[0], title: string, municipios: Municipios): ReadColumn {
  const estado = STATE_OF[campo]
  const known = new Map<string, Place>()
  return (row, text) => {
    const uf = row.campos[estado] as string | null
    const key = `${text}|${uf}`
    let place = known.get(key)
    if (place === undefined) {
      place = placeOf(municipios, text, uf)
      if (known.size < MAX_CACHED) known.set(key, place)
    }
    if (place.municipio !== null) row.campos[campo] = place.municipio.codigo
    if (place.uf !== null) row.campos[estado] = place.uf as CampoValue
    if (place.aviso !== null) warn(row, title, place.aviso.message, { ...place.aviso, campo })
  }
}

/** Null for no value; completes codes without a check digit. */
export function readIbge(text: string, municipios: Municipios): number | null | undefined {
  const codigo = withoutFraction(text)
  if (isMissing(codigo) || /^0+$/.test(codigo)) return null
  return /^\d{6,7}$/.test(codigo) ? municipios.byCodigo(Number(codigo))?.codigo : undefined
}

function placeOf(municipios: Municipios, text: string, uf: string | null): Place {
  const codigo = withoutFraction(text)
  if (isMissing(codigo) || /^0+$/.test(codigo)) return { municipio: null, uf: null, aviso: null }
  const municipio = findMunicipio(municipios, codigo, uf)
  if (municipio !== null) {
    const contradicts = uf !== null && uf !== municipio.uf
    const aviso = contradicts
      ? {
          message: `Município de ${municipio.uf} com a UF ${uf}: vale a do município`,
          codigo: 'STATE_CONTRADICTS',
          regra: 'Município de outra UF: vale a do município',
        }
      : null
    return { municipio, uf: municipio.uf, aviso }
  }
  const state = uf === null && isDigits(codigo) ? ufOfCodigo(codigo) : null
  const aviso: Place['aviso'] = /^\d{2}0{4,5}$/.test(codigo)
    ? { message: 'Município ignorado da UF: só a UF foi aproveitada', codigo: 'STATE_ONLY' }
    : {
        message: `Município${quoted(codigo)} desconhecido: não aproveitado`,
        codigo: 'UNKNOWN_MUNICIPIO',
        regra: 'Município desconhecido: não aproveitado',
      }
  return { municipio: null, uf: state, aviso }
}
