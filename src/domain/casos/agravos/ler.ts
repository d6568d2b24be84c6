import type { Problem } from '../../../errors/catalogue.ts'
import { canonicalJson } from '../../canonical.ts'
import { FIELD_NAMES, leafOf } from '../campos.ts'
import { CLASSIFICACOES_FILTRADAS } from '../enumeracoes.ts'
import {
  BLOCOS,
  BLOCOS_OBRIGATORIOS,
  type BlocoDeCampos,
  type CodigoDoVocabulario,
  type CodigoPermitido,
  DATAS_DE_INICIO,
  type Definicao,
  type Epidemiologia,
  GRUPOS,
  LIMITES,
  type Lista,
  type SinanDoAgravo,
} from './definicao.ts'
import { at, FORMS, isObject, type JsonObject, LeitorDeJson, type Path, shown } from './leitor.ts'
import { padroesOf, readCampos, readSinan } from './ler-campos.ts'
import { readLayouts } from './ler-layouts.ts'
import { CamposConhecidos, padraoNamed } from './nomes.ts'

/** Definition of a disease as JSON: every problem with its path, and the definition with all defaults filled in. */

interface Conhecido {
  /** Codes that every disease knows. */
  vocabulario: readonly CodigoDoVocabulario[]
  /** Definitions in force, whose values of `ID_AGRAVO` are taken. */
  outras: readonly Definicao[]
}

const CHAVES = [
  'codigo',
  'nome',
  'descricao',
  'cid10_codes',
  'notificacao_obrigatoria',
  'notificacao_imediata',
  'prazo_encerramento_dias',
  'data_de_inicio',
  'blocos',
  'sinan',
  'classificacoes',
  'criterios',
  'evolucoes',
  'classificacao_padrao',
  'campos',
  'layouts',
  'epidemiologia',
  'fonte',
] satisfies (keyof Definicao)[]

/** Words of paths and of bulletins. */
const RESERVED: readonly string[] = ['modelos', 'todos']
/** Final classifications of filters that are no code. */
const FILTER_WORDS: readonly string[] = ['suspeito', ...CLASSIFICACOES_FILTRADAS]
/** Groups that hold one code, by which it is counted. */
const CLOSED_GROUPS: readonly string[] = ['obito_agravo', 'aberto', 'descartado', 'inconclusivo']
const PRAZO = 60
/** Weeks of the generation interval, as the routes accept them. */
const MEDIA = { integer: false, least: 1.5, most: 6 }
const DESVIO = { integer: false, least: 0.5, most: 3 }

/** Canonical text of a definition: equal definitions have equal texts. */
export const canonical = (definicao: Definicao): string => canonicalJson(definicao)

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** The definition is whole only where there is no problem. */
export function lerDefinicao(
  json: unknown,
  { vocabulario, outras }: Conhecido,
): { definicao: Definicao; problems: Problem[] } {
  const leitor = new LeitorDeJson()
  const definicao = read(leitor, leitor.object(json, [], CHAVES), vocabulario)
  checkClaims(leitor, definicao, outras)
  if (leitor.problems.length === 0 && bytesOf(canonical(definicao)) > LIMITES.bytes)
    leitor.refuse([], 'TOO_LONG', { limit: LIMITES.bytes })
  return { definicao, problems: leitor.problems }
}

function read(
  leitor: LeitorDeJson,
  json: JsonObject,
  vocabulario: readonly CodigoDoVocabulario[],
): Definicao {
  const text = (key: string, max: number) =>
    at(json, key) === undefined ? '' : (leitor.text(at(json, key), [key], { max, long: true }) ?? '')
  const codigo = leitor.code(at(json, 'codigo'), ['codigo'], FORMS.agravo) ?? ''
  if (RESERVED.includes(codigo)) leitor.refuse(['codigo'], 'PROTECTED', {})
  const head = {
    codigo,
    nome: leitor.text(at(json, 'nome'), ['nome'], { max: LIMITES.nome }) ?? '',
    descricao: text('descricao', LIMITES.descricao),
    cid10_codes: required(leitor, json, 'cid10_codes', (value, path) =>
      leitor.codes(value, path, FORMS.cid10, { least: 1, most: LIMITES.cids }),
    ),
    notificacao_obrigatoria: leitor.boolean(
      at(json, 'notificacao_obrigatoria'),
      ['notificacao_obrigatoria'],
      true,
    ),
    notificacao_imediata: leitor.boolean(at(json, 'notificacao_imediata'), ['notificacao_imediata'], false),
    prazo_encerramento_dias:
      leitor.number(at(json, 'prazo_encerramento_dias') ?? PRAZO, ['prazo_encerramento_dias'], {
        integer: true,
        least: 1,
        most: LIMITES.prazo,
      }) ?? PRAZO,
    data_de_inicio:
      leitor.oneOf(at(json, 'data_de_inicio') ?? 'sintomas', ['data_de_inicio'], DATAS_DE_INICIO) ??
      ('sintomas' as const),
    blocos: readBlocos(leitor, at(json, 'blocos')),
    sinan: readSinanDoAgravo(leitor, at(json, 'sinan')),
  }
  const lists = readVocabularios(leitor, json, vocabulario)
  const padrao = readClassificacao(leitor, at(json, 'classificacao_padrao'), ['classificacao_padrao'], lists)
  const campos = at(json, 'campos') ?? []
  const conhecidos = new CamposConhecidos({ ...head, ...lists, campos: padroesOf(campos) })
  return {
    ...head,
    ...lists,
    ...(padrao !== undefined && { classificacao_padrao: padrao }),
    campos: readCampos(leitor, campos, conhecidos),
    layouts: readLayouts(leitor, at(json, 'layouts') ?? [], conhecidos),
    epidemiologia: readEpidemiologia(leitor, at(json, 'epidemiologia')),
    fonte: text('fonte', LIMITES.fonte),
  }
}

function required<T>(
  leitor: LeitorDeJson,
  json: JsonObject,
  key: string,
  read: (value: unknown, path: Path) => T[],
): T[] {
  const value = at(json, key)
  if (value !== undefined) return read(value, [key])
  leitor.refuse([key], 'REQUIRED', {})
  return []
}

/** Blocks as they are named, and those that every disease has. */
function readBlocos(leitor: LeitorDeJson, value: unknown): BlocoDeCampos[] {
  const seen = new Set<string>()
  const blocos = leitor.list(value ?? [], ['blocos'], { most: BLOCOS.length }, (item, path) => {
    const bloco = leitor.oneOf(item, path, BLOCOS)
    return bloco !== null && leitor.first(bloco, path, seen) ? bloco : null
  })
  return [...blocos, ...BLOCOS_OBRIGATORIOS.filter((bloco) => !seen.has(bloco))]
}

function readSinanDoAgravo(leitor: LeitorDeJson, value: unknown): SinanDoAgravo {
  const path = ['sinan']
  const sinan =
    value === undefined ? {} : leitor.object(value, path, ['agravos', 'prefixos', 'arquivo', 'colunas'])
  const claims = (key: string) =>
    leitor.codes(at(sinan, key) ?? [], [...path, key], FORMS.id_agravo, { most: LIMITES.agravos })
  const arquivo = at(sinan, 'arquivo')
  const named = arquivo === undefined ? null : leitor.code(arquivo, [...path, 'arquivo'], FORMS.arquivo)
  return {
    agravos: claims('agravos'),
    prefixos: claims('prefixos'),
    ...(named !== null && { arquivo: named }),
    colunas: readColunas(leitor, at(sinan, 'colunas'), [...path, 'colunas']),
  }
}

function readColunas(leitor: LeitorDeJson, value: unknown, path: Path): Record<string, string | null> {
  const seen = new Set<string>()
  const entries = leitor.entries(value, path, FIELD_NAMES.length)
  return Object.fromEntries(
    entries.flatMap(([nome, coluna]) => {
      const place = [...path, shown(nome)]
      const padrao = padraoNamed(nome)
      if (padrao === null) leitor.refuse(place, 'UNKNOWN', { ids: [shown(nome)] })
      const read = coluna === null ? null : leitor.code(coluna, place, FORMS.coluna)
      return padrao !== null && leitor.first(padrao, place, seen) ? [[leafOf(padrao), read]] : []
    }),
  )
}

type Listas = Pick<Definicao, 'classificacoes' | 'criterios' | 'evolucoes'>

function readVocabularios(
  leitor: LeitorDeJson,
  json: JsonObject,
  vocabulario: readonly CodigoDoVocabulario[],
): Listas {
  const listOf = (key: keyof Listas, lista: Lista, keys: readonly string[]) => {
    const known = new Map(
      vocabulario.filter((one) => one.lista === lista).map((one) => [one.codigo, one] as const),
    )
    const codigos = new Set<string>()
    const sinan = new Set<string>()
    const read = required(leitor, json, key, (value, path) =>
      leitor.list(value, path, { most: LIMITES.vocabulario }, (item, place) =>
        readPermitido(leitor, item, place, { lista, keys, known, codigos, sinan }),
      ),
    )
    const total = known.size + read.filter(({ codigo }) => !known.has(codigo)).length
    if (total > LIMITES.vocabulario) leitor.refuse([key], 'TOO_MANY', { limit: LIMITES.vocabulario })
    return read
  }
  const base = ['codigo', 'rotulo', 'grupo', 'sinan']
  const classificacoes = listOf('classificacoes', 'classificacao', [...base, 'grave'])
  const criterios = listOf('criterios', 'criterio', base)
  const evolucoes = listOf('evolucoes', 'evolucao', [...base, 'classificacao'])
  return { classificacoes, criterios, evolucoes: withClassificacao(leitor, json, evolucoes, classificacoes) }
}

interface Lugar {
  lista: Lista
  keys: readonly string[]
  known: ReadonlyMap<string, CodigoDoVocabulario>
  codigos: Set<string>
  sinan: Set<string>
}

function readPermitido(
  leitor: LeitorDeJson,
  item: unknown,
  path: Path,
  { lista, keys, known, codigos, sinan }: Lugar,
): CodigoPermitido | null {
  const json = leitor.object(item, path, keys)
  if (!isObject(item)) return null
  const codigo = leitor.code(at(json, 'codigo'), [...path, 'codigo'], FORMS.codigo)
  const isNew = codigo !== null && !known.has(codigo)
  const text = at(json, 'rotulo')
  const rotulo =
    text === undefined && !isNew ? null : leitor.text(text, [...path, 'rotulo'], { max: LIMITES.rotulo })
  const group = at(json, 'grupo')
  const grupo = group === undefined && !isNew ? null : leitor.oneOf(group, [...path, 'grupo'], GRUPOS[lista])
  const isGrave = keys.includes('grave') ? at(json, 'grave') : undefined
  const grave = leitor.boolean(isGrave, [...path, 'grave'], false)
  const codes = readSinan(leitor, at(json, 'sinan'), [...path, 'sinan'], sinan)
  if (codigo === null || !leitor.first(codigo, [...path, 'codigo'], codigos)) return null
  const stored = known.get(codigo)
  if (stored === undefined) checkNew(leitor, codigo, grupo, lista, path)
  else {
    if (grupo !== null && grupo !== stored.grupo)
      leitor.refuse([...path, 'grupo'], 'INCONSISTENT', { field: 'codigo' })
    if (isGrave !== undefined && grave !== stored.grave)
      leitor.refuse([...path, 'grave'], 'INCONSISTENT', { field: 'codigo' })
  }
  return {
    codigo,
    ...(rotulo !== null && { rotulo }),
    ...(grupo !== null && { grupo }),
    ...(isGrave !== undefined && { grave }),
    sinan: codes,
  }
}

function checkNew(
  leitor: LeitorDeJson,
  codigo: string,
  grupo: string | null,
  lista: Lista,
  path: Path,
): void {
  if (lista === 'classificacao' && FILTER_WORDS.includes(codigo))
    leitor.refuse([...path, 'codigo'], 'DUPLICATE', {})
  if (grupo !== null && CLOSED_GROUPS.includes(grupo))
    leitor.notAmong(
      [...path, 'grupo'],
      GRUPOS[lista].filter((one) => !CLOSED_GROUPS.includes(one)),
    )
}

/** Outcomes with the classification that follows from them. */
function withClassificacao(
  leitor: LeitorDeJson,
  json: JsonObject,
  evolucoes: readonly CodigoPermitido[],
  classificacoes: readonly CodigoPermitido[],
): Definicao['evolucoes'] {
  const given = at(json, 'evolucoes')
  const decided = new Map<unknown, string>()
  if (Array.isArray(given))
    for (const [i, item] of given.slice(0, LIMITES.vocabulario).entries()) {
      if (!isObject(item)) continue
      const value = readClassificacao(leitor, at(item, 'classificacao'), ['evolucoes', i, 'classificacao'], {
        classificacoes,
      })
      if (value !== undefined) decided.set(at(item, 'codigo'), value)
    }
  return evolucoes.map((evolucao) => {
    const classificacao = decided.get(evolucao.codigo)
    return classificacao === undefined ? evolucao : { ...evolucao, classificacao }
  })
}

/** A classification that the definition allows. */
function readClassificacao(
  leitor: LeitorDeJson,
  value: unknown,
  path: Path,
  { classificacoes }: { classificacoes: readonly CodigoPermitido[] },
): string | undefined {
  if (value === undefined) return undefined
  const codigo = leitor.code(value, path, FORMS.codigo)
  if (codigo === null) return undefined
  if (classificacoes.some((one) => one.codigo === codigo)) return codigo
  leitor.refuse(path, 'UNKNOWN', { ids: [codigo] })
  return undefined
}

function readEpidemiologia(leitor: LeitorDeJson, value: unknown): Epidemiologia {
  const path = ['epidemiologia']
  const json =
    value === undefined ? {} : leitor.object(value, path, ['curva', 'alertas', 'intervalo_geracao'])
  const flag = (key: string, byDefault: boolean) => leitor.boolean(at(json, key), [...path, key], byDefault)
  const [curva, alertas] = [flag('curva', true), flag('alertas', false)]
  if (alertas && !curva) leitor.refuse([...path, 'alertas'], 'INCONSISTENT', { field: 'curva' })
  const interval = at(json, 'intervalo_geracao')
  if (interval === undefined) return { curva, alertas, intervalo_geracao: null }
  const place = [...path, 'intervalo_geracao']
  const { media, desvio } = leitor.object(interval, place, ['media', 'desvio'])
  return {
    curva,
    alertas,
    intervalo_geracao: {
      media: leitor.number(media, [...place, 'media'], MEDIA) ?? MEDIA.least,
      desvio: leitor.number(desvio, [...place, 'desvio'], DESVIO) ?? DESVIO.least,
    },
  }
}

/** Refuses values and prefixes of `ID_AGRAVO` that another disease has. */
function checkClaims(leitor: LeitorDeJson, { codigo, sinan }: Definicao, outras: readonly Definicao[]): void {
  for (const key of ['agravos', 'prefixos'] as const) {
    const taken = new Set(
      outras.filter((outra) => outra.codigo !== codigo).flatMap(({ sinan }) => sinan[key]),
    )
    for (const [i, claim] of sinan[key].entries())
      if (taken.has(claim)) leitor.refuse(['sinan', key, i], 'DUPLICATE', {})
  }
}
