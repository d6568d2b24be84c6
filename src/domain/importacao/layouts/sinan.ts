import { hash } from 'node:crypto'
import type { Problem } from '../../../errors/catalogue.ts'
import { DEFAULT_LANGUAGE, problemText } from '../../../errors/texts.ts'
import {
  CAMPOS,
  type Campos,
  COLUNAS,
  DADOS,
  NOMES,
  type NomeDeCampo,
  VAZIO,
  type Valor,
} from '../../casos/campos.ts'
import { OBITOS, type TipoAgravo } from '../../casos/enumeracoes.ts'
import { settle } from '../../casos/regras.ts'
import { DUPLICIDADE, decode, NAO_INDIVIDUAL, readAgravo } from './codes.ts'
import { COLUNAS_SINAN, type Coluna } from './columns.ts'
import { type Achada, datedIn, hasMoreThan } from './header.ts'
import type { Aviso, ContextoDeLayout, Convertida, Layout } from './layout.ts'
import { dateReader, type Linha, type Passo, passosOf, quoted, shown, warn } from './steps.ts'
import { isDigits, isMissing, readNumero } from './values.ts'

/**
 * The SINAN layouts are what reality is: a row is refused only where nothing can be made of it (no disease, no
 * notification date, a broken line, not one person's notification). What is implausible is left out with a warning.
 */

export const SEM_NUMERO =
  'O arquivo não tem o número da notificação (NU_NOTIFIC): ele foi derivado dos demais valores de cada linha'

type Colunas = ReadonlyMap<string, Achada>

export function sinanLayout(
  achadas: Colunas,
  avisos: Aviso[],
  largura: number,
  contexto: ContextoDeLayout,
): Layout {
  const converter = createConverter(achadas, largura, contexto)
  if (!achadas.has('NU_NOTIFIC')) avisos.push({ coluna: null, mensagem: SEM_NUMERO })
  const couldBeCase = datedIn(achadas.get('DT_NOTIFIC') as Achada)
  return { nome: 'sinan', presentes: presentesOf(achadas), avisos, couldBeCase, converter }
}

const PLACES: Partial<Record<NomeDeCampo, NomeDeCampo>> = {
  municipio_residencia: 'estado_residencia',
  municipio_infeccao: 'estado_infeccao',
}
const SPECIAL: Partial<Record<Coluna['le'], NomeDeCampo[]>> = {
  numero: ['numero_notificacao'],
  agravo: ['tipo_agravo'],
  classificacao: ['classificacao_final'],
  gestante: ['paciente_gestante', 'dados_especificos.idade_gestacional'],
  idade: ['paciente_idade'],
  pais: ['pais_infeccao'],
  ocupacao: ['paciente_ocupacao'],
  cep: ['cep_residencia'],
  'soro-2': ['dados_laboratoriais.igm'],
  'data-soro-2': ['dados_laboratoriais.data_igm'],
}

/** The fields that a column can set. */
export function camposOf(coluna: Coluna): NomeDeCampo[] {
  if (!('campo' in coluna)) return SPECIAL[coluna.le] ?? []
  const { campo } = coluna
  if (coluna.le === 'alarme') return [campo, 'dados_especificos.sinais_alarme']
  const estado = PLACES[campo]
  return estado === undefined ? [campo] : [campo, estado]
}

function presentesOf(achadas: Colunas): NomeDeCampo[] {
  const told = new Set([...achadas.keys()].flatMap((nome) => camposOf(COLUNAS_SINAN[nome] as Coluna)))
  return NOMES.filter((nome) => told.has(nome))
}

/** For messages about a field: the column that tells of it. */
function titulosOf(achadas: Colunas): Map<string, string> {
  const titulos = new Map<string, string>()
  for (const [nome, coluna] of Object.entries(COLUNAS_SINAN))
    for (const campo of camposOf(coluna)) {
      const titulo = achadas.get(nome)?.titulo
      if (titulo !== undefined && !titulos.has(campo)) titulos.set(campo, titulo)
    }
  return titulos
}

function createConverter(achadas: Colunas, largura: number, contexto: ContextoDeLayout) {
  const at = (nome: string) => achadas.get(nome)?.indice ?? -1
  const passos: Passo[] = passosOf(achadas, contexto)
  const essentials = essentialsOf(achadas, contexto)
  const conclude = conclusions(achadas)
  const enforce = enforcer(contexto, titulosOf(achadas))
  const numero = at('NU_NOTIFIC')
  // Free text at the end of the line may hold separators; it is not taken anyway.
  const endsFree = at('DS_OBS') === largura - 1

  return (valores: string[]): Convertida => {
    const told = numero === -1 ? null : readNumero(valores[numero] ?? '')
    const refuse = (erro: string): Convertida => ({ ok: false, erro, numero_notificacao: reported(told) })
    if (valores.length > largura && !endsFree && hasMoreThan(valores, largura))
      return refuse(`Linha com ${valores.length} valores; o cabeçalho tem ${largura} colunas`)
    const chave = essentials(valores)
    if (typeof chave === 'string') return refuse(chave)
    const linha: Linha = { ...NOVA, campos: { ...VAZIO }, avisos: [], tipo: chave.tipo, valores }
    linha.campos.tipo_agravo = chave.tipo
    linha.campos.data_notificacao = chave.data
    if (valores.length < largura)
      warn(
        linha,
        null,
        `Linha com ${valores.length} valores; o cabeçalho tem ${largura} colunas: as últimas ficam vazias`,
      )
    for (const { indice, ler } of passos) {
      const texto = valores[indice]
      if (texto !== undefined && texto !== '' && texto !== 'NA') ler(linha, texto)
    }
    conclude(linha)
    const numeroDerivado = told === null || told.length > MAX_NUMERO
    linha.campos.numero_notificacao = numeroDerivado ? derivedNumber(linha.campos) : told
    if (numeroDerivado && numero !== -1)
      warn(linha, achadas.get('NU_NOTIFIC')?.titulo ?? null, 'Linha sem número da notificação: foi derivado')
    return { ok: true, campos: enforce(linha), avisos: linha.avisos, numeroDerivado }
  }
}

const NOVA = { alarme: null, soro2: false }
const MAX_NUMERO = 40

/** A broken line has free text in this place, which does not belong into a report. */
const reported = (numero: string | null): string | null =>
  numero !== null && numero.length <= MAX_NUMERO && isDigits(numero) ? numero : null

/** The disease and the date of a row, or why there is none to be had. */
function essentialsOf(achadas: Colunas, contexto: ContextoDeLayout) {
  const at = (nome: string) => achadas.get(nome)?.indice ?? -1
  const [individual, duplicidade, agravo, data] = [
    at('TP_NOT'),
    at('NDUPLIC_N'),
    at('ID_AGRAVO'),
    at('DT_NOTIFIC'),
  ]
  const readData = dateReader(contexto.today, achadas.get('SEM_NOT')?.indice)
  const agravos = new Map<string, TipoAgravo | null | undefined>()
  const tipoOf = (texto: string) => {
    if (!agravos.has(texto) && agravos.size < 100) agravos.set(texto, readAgravo(texto))
    return agravos.has(texto) ? agravos.get(texto) : readAgravo(texto)
  }

  return (valores: string[]): { tipo: TipoAgravo; data: string } | string => {
    const outra = valores[individual] === '2' ? null : decode(NAO_INDIVIDUAL, valores[individual] ?? '')
    if (outra) return `Não é notificação individual: ${outra}`
    const doenca = agravo === -1 ? '' : (valores[agravo] ?? '')
    const tipo = agravo === -1 ? contexto.tipoAgravo : tipoOf(doenca)
    if (tipo === undefined) return `Agravo${quoted(doenca)} desconhecido`
    const given = valores[data] ?? ''
    const date = readData(given, valores)
    if (tipo === null && date === null) return 'Linha sem agravo e sem data de notificação legível'
    if (tipo === null) return 'Linha sem agravo'
    if (date === null)
      return isMissing(given)
        ? 'Linha sem data de notificação'
        : `Data de notificação${quoted(given)} ilegível`
    if (date > contexto.today) return `Data de notificação ${date} no futuro`
    if (duplicidade !== -1 && decode(DUPLICIDADE, valores[duplicidade] ?? ''))
      return 'Notificação marcada como duplicidade no SINAN'
    return { tipo, data: date }
  }
}

/** What follows from several columns together, and what is missing among them. */
function conclusions(achadas: Colunas): (linha: Linha) => void {
  const titulo = (nome: string) => achadas.get(nome)?.titulo
  const hasLaco = achadas.has('LACO') || achadas.has('LACO_N')
  const [inicio, municipio, obito, internacao, sorotipo] = [
    titulo('DT_SIN_PRI'),
    titulo('ID_MN_RESI'),
    titulo('DT_OBITO'),
    titulo('DT_INTERNA'),
    titulo('SOROTIPO'),
  ]
  const isEmpty = (linha: Linha, nome: string) =>
    isMissing(linha.valores[achadas.get(nome)?.indice ?? -1] ?? '')

  return (linha) => {
    const { campos } = linha
    campos['dados_especificos.sinais_alarme'] = linha.alarme
    // Dictionary: the test was not made where the answer is blank.
    if (hasLaco) campos['dados_especificos.prova_laco'] ??= 'nao_realizada'
    if (inicio !== undefined && isEmpty(linha, 'DT_SIN_PRI'))
      warn(linha, inicio, 'Sem data de início dos sintomas')
    if (municipio !== undefined && isEmpty(linha, 'ID_MN_RESI'))
      warn(linha, municipio, 'Sem município de residência')
    if (
      obito !== undefined &&
      OBITOS.includes((campos.evolucao as string) ?? '') &&
      isEmpty(linha, 'DT_OBITO')
    )
      warn(linha, obito, 'Óbito sem data')
    if (internacao !== undefined && campos.hospitalizacao === true && isEmpty(linha, 'DT_INTERNA'))
      warn(linha, internacao, 'Hospitalização sem data de internação')
    if (sorotipo !== undefined && campos['dados_especificos.sorotipo'] !== null && !wasIsolated(campos))
      warn(linha, sorotipo, 'Sorotipo sem PCR ou isolamento viral positivo')
  }
}

const wasIsolated = (campos: Linha['campos']): boolean =>
  campos['dados_laboratoriais.pcr'] === 'positivo' ||
  campos['dados_laboratoriais.isolamento_viral'] === 'positivo'

/** The rules of a case, with what offends them left out until nothing does. */
function enforcer({ today, municipios }: ContextoDeLayout, titulos: Map<string, string>) {
  return (linha: Linha): Campos => {
    for (let round = 0; round <= NOMES.length; round++) {
      const campos = { ...(linha.campos as Campos) }
      const problems = settle(campos, linha.campos as Campos, today, municipios)
      if (problems.length === 0) return campos
      for (const problem of offending(problems)) leaveOut(linha, problem, titulos)
    }
    throw new Error('the rules refuse a case whatever is left out of it')
  }
}

/** Age and birth date contradict each other because the birth date is wrong, where that has a problem of its own. */
function offending(problems: Problem[]): Problem[] {
  const isNamed = (nome: NomeDeCampo) => (problem: Problem) => problem.path[0] === nome
  return problems.some(isNamed('paciente_data_nascimento'))
    ? problems.filter((problem) => !isNamed('paciente_idade')(problem))
    : problems
}

function leaveOut(linha: Linha, problem: Problem, titulos: Map<string, string>): void {
  const campo = problem.path.join('.') as NomeDeCampo
  const value: Valor = linha.campos[campo]
  if (value === null) return
  linha.campos[campo] = null
  if (campo === 'paciente_gestante') linha.campos['dados_especificos.idade_gestacional'] = null
  warn(
    linha,
    titulos.get(campo) ?? null,
    `${problemText(problem, DEFAULT_LANGUAGE)}: valor${shown(campo, String(value))} não aproveitado`,
  )
}

const PLAIN = new Set(['one-of', 'date', 'code'])

/** Read since numbers were first derived: a row that has one keeps it. */
const MAIS_NOVOS = new Set<NomeDeCampo>([
  'dados_especificos.relacionada_ao_trabalho',
  'dados_especificos.data_digitacao',
  'dados_especificos.estado_notificacao',
  'dados_especificos.municipio_notificacao',
  'dados_especificos.regional_notificacao',
  'dados_especificos.hospital_estado',
  'dados_especificos.hospital_municipio',
  'dados_especificos.hospital_cnes',
])

/** The open fields in order, each with its key as it stands in JSON and whether its text may need escaping. */
const ABERTOS = [...COLUNAS, ...DADOS]
  .filter((nome) => nome !== 'numero_notificacao' && nome !== 'status' && !MAIS_NOVOS.has(nome))
  .sort()
  .map((nome) => ({ nome, key: `${JSON.stringify(nome)}:`, plain: PLAIN.has(CAMPOS[nome].kind) }))

/**
 * A hash of what the row says, not of its bytes nor of what today's rules leave of it: the same record as CSV and as
 * DBC, now and next month, has the same number.
 */
function derivedNumber(campos: Linha['campos']): string {
  const derived = campos.paciente_data_nascimento !== null
  let text = '{'
  for (const { nome, key, plain } of ABERTOS) {
    const value = campos[nome]
    if (value === null || (derived && nome === 'paciente_idade')) continue
    if (text !== '{') text += ','
    text += key + (typeof value !== 'string' || !plain ? JSON.stringify(value) : `"${value}"`)
  }
  return `DATASUS-${hash('sha256', `${text}}`, 'hex').slice(0, 16)}`
}
