import { semanaOf } from '../../../brasil/epi-week.ts'
import type { Municipio, Municipios } from '../../../brasil/municipios.ts'
import { CAMPOS, type Campo, isSigiloso, type NomeDeCampo, type Valor } from '../../casos/campos.ts'
import type { TipoAgravo } from '../../casos/enumeracoes.ts'
import { findMunicipio } from '../../casos/input.ts'
import { CLASSIFICACAO, type Codigos, decode, GESTANTE, RESULTADO, SIM_NAO } from './codes.ts'
import { COLUNAS_SINAN, type Coluna } from './columns.ts'
import type { Achada } from './header.ts'
import type { Aviso, ContextoDeLayout } from './layout.ts'
import { readUf, ufOfCodigo } from './states.ts'
import {
  type Anos,
  codeOf,
  exchanged,
  isDigits,
  isMissing,
  readCep,
  readDate,
  readIdade,
  readMedida,
  readOcupacao,
  readPadded,
  readTexto,
  withoutFraction,
} from './values.ts'

/** One step for each column of the file that tells something, made once; a row then runs through them. */

/** A row while it is read. */
export interface Linha {
  campos: Record<NomeDeCampo, Valor>
  avisos: Aviso[]
  tipo: TipoAgravo
  valores: readonly string[]
  /** True as soon as one warning sign is there; false if one was denied and none affirmed. */
  alarme: boolean | null
  /** The second serum has a result that counts more than the first's. */
  soro2: boolean
}
type Ler = (linha: Linha, texto: string) => void
export interface Passo {
  indice: number
  ler: Ler
}

export function passosOf(achadas: ReadonlyMap<string, Achada>, contexto: ContextoDeLayout): Passo[] {
  const passos: Passo[] = []
  for (const [nome, coluna] of Object.entries(COLUNAS_SINAN)) {
    const achada = achadas.get(nome)
    const ler = achada && lerOf(coluna, achada.titulo, achadas, contexto)
    if (ler) passos.push({ indice: achada.indice, ler: onlyWhere(coluna, ler) })
  }
  return passos
}

/** Under the conditions that the table sets. */
function onlyWhere(coluna: Coluna, ler: Ler): Ler {
  const so = 'so' in coluna ? coluna.so : undefined
  if (so !== undefined) return (linha, texto) => linha.tipo === so && ler(linha, texto)
  if ('reserva' in coluna && coluna.reserva) {
    const { campo } = coluna
    return (linha, texto) => linha.campos[campo] === null && ler(linha, texto)
  }
  return ler
}

function lerOf(
  coluna: Coluna,
  titulo: string,
  achadas: ReadonlyMap<string, Achada>,
  contexto: ContextoDeLayout,
): Ler | null {
  switch (coluna.le) {
    case 'data':
      return coluna.campo === 'data_notificacao' ? null : lerData(coluna, titulo, achadas, contexto.today)
    case 'codigo':
      return lerCodigo(coluna.campo, coluna.codigos, titulo)
    case 'alarme':
      return lerAlarme(coluna.campo, titulo)
    case 'item':
      return lerItem(coluna.campo, coluna.item, titulo)
    case 'texto':
      return lerTexto(coluna.campo, titulo)
    case 'uf':
      return lerValor(coluna.campo, titulo, cached(readUf))
    case 'ibge':
      return lerValor(
        coluna.campo,
        titulo,
        cached((texto) => codigoIbge(texto, contexto.municipios)),
      )
    case 'municipio':
      return lerMunicipio(coluna.campo, titulo, contexto.municipios)
    case 'cnes':
      return lerValor(coluna.campo, titulo, (texto) => readPadded(texto, 7))
    case 'cep':
      return lerValor('cep_residencia', titulo, readCep)
    case 'ocupacao':
      return lerValor('paciente_ocupacao', titulo, readOcupacao)
    case 'idade':
      return lerValor('paciente_idade', titulo, cached(readIdade))
    case 'medida':
      return lerMedida(coluna.campo, titulo)
    case 'pais':
      return lerPais(titulo)
    case 'gestante':
      return lerGestante(titulo)
    case 'classificacao':
      return lerClassificacao(titulo)
    case 'soro-2':
      return lerSoro2(titulo)
    case 'data-soro-2':
      return lerDataSoro2(titulo, contexto.today)
    default:
      return null
  }
}

const MAX_CACHE = 10_000

/** Files repeat themselves: what a text means is worked out once. */
function cached<V>(read: (text: string) => V | undefined): (text: string) => V | undefined {
  const known = new Map<string, V>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = read(text)
    if (value !== undefined && known.size < MAX_CACHE) known.set(text, value)
    return value
  }
}

export function warn(linha: Linha, coluna: string | null, mensagem: string): void {
  linha.avisos.push({ coluna, mensagem })
}

/** What may tell who the patient is does not go into messages. */
export const shown = (campo: NomeDeCampo, texto: string): string =>
  isSigiloso(campo) ? '' : ` "${texto.length > 40 ? `${texto.slice(0, 40)}…` : texto}"`

/** A line out of step has free text in any place, perhaps a name: only what looks like a code is repeated. */
export const quoted = (texto: string): string =>
  texto.length > 40 || /\p{L}{3}/u.test(texto) ? '' : ` "${texto}"`
const asRead = (campo: NomeDeCampo, texto: string): string => (isSigiloso(campo) ? '' : quoted(texto))

const unread = (linha: Linha, campo: NomeDeCampo, titulo: string, texto: string) =>
  warn(linha, titulo, `Valor${asRead(campo, texto)} desconhecido ou implausível: não aproveitado`)

/** The general step: `undefined` is a value that cannot be read. */
function lerValor(campo: NomeDeCampo, titulo: string, read: (text: string) => Valor | undefined): Ler {
  return (linha, texto) => {
    const value = read(texto)
    if (value === undefined) unread(linha, campo, titulo, texto)
    else if (value !== null) linha.campos[campo] = value
  }
}

const lerCodigo = (campo: NomeDeCampo, codigos: Codigos<string | boolean>, titulo: string): Ler =>
  lerValor(
    campo,
    titulo,
    cached((text) => decode(codigos, text) as Valor | undefined),
  )

export const anosUntil = (today: string): Anos => ({ min: 1900, max: Number(today.slice(0, 4)) })

function lerData(
  { campo, semana }: Extract<Coluna, { le: 'data' }>,
  titulo: string,
  achadas: ReadonlyMap<string, Achada>,
  today: string,
): Ler {
  const read = dateReader(today, semana && achadas.get(semana)?.indice)
  return (linha, texto) => {
    const date = read(texto, linha.valores)
    if (date !== null) linha.campos[campo] = date
    else if (!isMissing(texto)) warn(linha, titulo, `Data${asRead(campo, texto)} ilegível: não aproveitada`)
  }
}

/**
 * A date; where the file tells its epidemiological week in another column, that settles whether `2021-03-05` is in
 * March or, as some exports write, in May.
 */
export function dateReader(
  today: string,
  semana: number | undefined,
): (texto: string, valores: readonly string[]) => string | null {
  const anos = anosUntil(today)
  const weekOf = cached((date) => semanaOf(date).codigo)
  return (texto, valores) => {
    const date = readDate(texto, anos, true)
    if (date === null || semana === undefined || texto[4] !== '-') return date
    const other = exchanged(date)
    const week = other === null ? '' : codeOf(valores[semana] ?? '')
    if (other === null || !isDigits(week)) return date
    const inWeek = (one: string) => {
      const codigo = weekOf(one) as string
      return week.length === 6 ? codigo === week : codigo.slice(4) === week.padStart(2, '0')
    }
    return !inWeek(date) && inWeek(other) ? other : date
  }
}

function lerAlarme(campo: NomeDeCampo, titulo: string): Ler {
  const read = cached((text) => decode(SIM_NAO, text))
  return (linha, texto) => {
    const value = read(texto)
    if (value === undefined) return unread(linha, campo, titulo, texto)
    if (value === null) return
    linha.campos[campo] = value
    if (value || linha.alarme === null) linha.alarme = value
  }
}

function lerItem(campo: NomeDeCampo, item: string, titulo: string): Ler {
  const read = cached((text) => decode(SIM_NAO, text))
  return (linha, texto) => {
    const value = read(texto)
    if (value === undefined) return unread(linha, campo, titulo, texto)
    if (!value) return
    const list = linha.campos[campo] as string[] | null
    if (list === null) linha.campos[campo] = [item] as Valor
    else list.push(item)
  }
}

/** Numbers that some programs write as `10.0`. */
const CODIGOS_EM_TEXTO = new Set<NomeDeCampo>(['numero_residencia', 'dados_especificos.regional_notificacao'])

function lerTexto(campo: NomeDeCampo, titulo: string): Ler {
  const { max } = CAMPOS[campo] as Extract<Campo, { kind: 'text' }>
  const isCodigo = CODIGOS_EM_TEXTO.has(campo)
  return (linha, given) => {
    const { texto, cortado } = readTexto(isCodigo ? withoutFraction(given) : given, max)
    if (texto !== null) linha.campos[campo] = texto
    if (cortado) warn(linha, titulo, `Texto longo demais: cortado em ${max} caracteres`)
  }
}

function lerMedida(campo: NomeDeCampo, titulo: string): Ler {
  const { max, kind } = CAMPOS[campo] as Extract<Campo, { max: number; min: number }>
  return lerValor(campo, titulo, (texto) => readMedida(texto, max, kind === 'integer'))
}

/** 1 is Brazil; for the other numbers there is no public table, but they do say that it was abroad. */
function lerPais(titulo: string): Ler {
  const { max } = CAMPOS.pais_infeccao
  return (linha, texto) => {
    const codigo = codeOf(texto)
    if (isMissing(texto) || codigo === '0') return
    if (codigo === '1' || codigo.toLowerCase() === 'brasil') linha.campos.pais_infeccao = 'Brasil'
    else if (isDigits(codigo) && codigo.length <= 6) {
      linha.campos.pais_infeccao = `Exterior (código ${codigo})`
      warn(linha, titulo, `País de código ${codigo} sem nome conhecido: guardado pelo código`)
    } else linha.campos.pais_infeccao = readTexto(texto, max).texto
  }
}

function lerGestante(titulo: string): Ler {
  const read = cached((text) => decode(GESTANTE, text))
  return (linha, texto) => {
    const value = read(texto)
    if (value === undefined) return unread(linha, 'paciente_gestante', titulo, texto)
    if (value === null) return
    linha.campos.paciente_gestante = value !== 'nao'
    if (value !== 'nao') linha.campos['dados_especificos.idade_gestacional'] = value
  }
}

function lerClassificacao(titulo: string): Ler {
  return (linha, texto) => {
    const value = decode(CLASSIFICACAO[linha.tipo] as Codigos<string>, texto)
    if (value === undefined)
      warn(linha, titulo, `Classificação${quoted(texto)} não existe para ${linha.tipo}: não aproveitada`)
    else if (value !== null) linha.campos.classificacao_final = value as Valor
  }
}

/** Dictionary: the second serum overrides the first, unless it was not made. */
function lerSoro2(titulo: string): Ler {
  const igm = 'dados_laboratoriais.igm'
  return (linha, texto) => {
    const value = decode(RESULTADO, texto)
    if (value === undefined) return unread(linha, igm, titulo, texto)
    if (value === null || (value === 'nao_realizado' && linha.campos[igm] !== null)) return
    linha.campos[igm] = value
    linha.soro2 = value !== 'nao_realizado'
  }
}

function lerDataSoro2(titulo: string, today: string): Ler {
  const campo = 'dados_laboratoriais.data_igm'
  const ler = lerData({ le: 'data', campo }, titulo, new Map(), today)
  return (linha, texto) => {
    if (linha.soro2 || linha.campos[campo] === null) ler(linha, texto)
  }
}

/** What a municipality's code or name says; without `municipio`, only its state at best. */
interface Lugar {
  municipio: Municipio | null
  uf: string | null
  aviso: string | null
}

const ESTADO_DE = {
  municipio_residencia: 'estado_residencia',
  municipio_infeccao: 'estado_infeccao',
} as const

function lerMunicipio(campo: keyof typeof ESTADO_DE, titulo: string, municipios: Municipios): Ler {
  const estado = ESTADO_DE[campo]
  const known = new Map<string, Lugar>()
  return (linha, texto) => {
    const uf = linha.campos[estado] as string | null
    const key = `${texto}|${uf}`
    let lugar = known.get(key)
    if (lugar === undefined) {
      lugar = lugarOf(municipios, texto, uf)
      if (known.size < MAX_CACHE) known.set(key, lugar)
    }
    if (lugar.municipio !== null) linha.campos[campo] = lugar.municipio.codigo
    if (lugar.uf !== null) linha.campos[estado] = lugar.uf as Valor
    if (lugar.aviso !== null) warn(linha, titulo, lugar.aviso)
  }
}

/** Null where none is told; codes without a check digit get theirs. */
function codigoIbge(texto: string, municipios: Municipios): number | null | undefined {
  const codigo = withoutFraction(texto)
  if (isMissing(codigo) || /^0+$/.test(codigo)) return null
  return /^\d{6,7}$/.test(codigo) ? municipios.byCodigo(Number(codigo))?.codigo : undefined
}

function lugarOf(municipios: Municipios, texto: string, uf: string | null): Lugar {
  const codigo = withoutFraction(texto)
  if (isMissing(codigo) || /^0+$/.test(codigo)) return { municipio: null, uf: null, aviso: null }
  const municipio = findMunicipio(municipios, codigo, uf)
  if (municipio !== null) {
    const contradicts = uf !== null && uf !== municipio.uf
    const aviso = contradicts ? `Município de ${municipio.uf} com a UF ${uf}: vale a do município` : null
    return { municipio, uf: municipio.uf, aviso }
  }
  const told = uf === null && isDigits(codigo) ? ufOfCodigo(codigo) : null
  const aviso = /^\d{2}0{4,5}$/.test(codigo)
    ? 'Município ignorado da UF: só a UF foi aproveitada'
    : `Município${quoted(codigo)} desconhecido: não aproveitado`
  return { municipio: null, uf: told, aviso }
}
