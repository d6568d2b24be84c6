import { type ColunaDoLayout, type LayoutDaDefinicao, LEITURAS, LIMITES } from './definicao.ts'
import { at, FORMS, isObject, type JsonObject, type LeitorDeJson, type Path, shown } from './leitor.ts'
import { readCodigo } from './ler-condicoes.ts'
import type { CampoConhecido, CamposConhecidos, Valores } from './nomes.ts'

/** Further layouts of files, as JSON. */

/** Kinds of fields that a reading makes values for. */
const KINDS: Record<ColunaDoLayout['le'], readonly Valores['tipo'][] | null> = {
  texto: ['texto'],
  data: ['data'],
  codigo: ['bool', 'opcao', 'opcoes', 'texto'],
  padrao: null,
  uf: ['opcao', 'texto'],
  municipio: ['municipio', 'inteiro'],
  anos: ['inteiro', 'numero'],
  inteiro: ['inteiro', 'numero'],
}
const TRUTH: ReadonlySet<string> = new Set(['true', 'false'])
const PREFIX = 20

export function readLayouts(
  leitor: LeitorDeJson,
  value: unknown,
  conhecidos: CamposConhecidos,
): LayoutDaDefinicao[] {
  const nomes = new Set<string>()
  return leitor.list(value, ['layouts'], { most: LIMITES.layouts }, (item, path) =>
    isObject(item) ? readLayout(leitor, item, path, nomes, conhecidos) : notObject(leitor, path),
  )
}

function notObject(leitor: LeitorDeJson, path: Path): null {
  leitor.refuse(path, 'INVALID_TYPE', { expected: 'object' })
  return null
}

function readLayout(
  leitor: LeitorDeJson,
  item: JsonObject,
  path: Path,
  nomes: Set<string>,
  conhecidos: CamposConhecidos,
): LayoutDaDefinicao | null {
  leitor.object(item, path, ['nome', 'reconhecer', 'colunas', 'constantes', 'substitutos'])
  const nome = leitor.code(at(item, 'nome'), [...path, 'nome'], FORMS.codigo)
  const campos = new Set<string>()
  const layout = {
    reconhecer: readReconhecer(leitor, at(item, 'reconhecer'), [...path, 'reconhecer']),
    colunas: leitor.list(
      at(item, 'colunas') ?? [],
      [...path, 'colunas'],
      { least: 1, most: LIMITES.colunas_do_layout },
      (coluna, place) => readColuna(leitor, coluna, place, campos, conhecidos),
    ),
    constantes: readConstantes(leitor, at(item, 'constantes'), [...path, 'constantes'], conhecidos),
    substitutos: readSubstitutos(leitor, at(item, 'substitutos'), [...path, 'substitutos'], conhecidos),
  }
  return nome !== null && leitor.first(nome, [...path, 'nome'], nomes) ? { nome, ...layout } : null
}

function readReconhecer(leitor: LeitorDeJson, value: unknown, path: Path): string[] {
  const seen = new Set<string>()
  return leitor.list(value ?? [], path, { least: 1, most: LIMITES.reconhecer }, (item, place) => {
    const coluna = leitor.text(item, place, { max: LIMITES.coluna })
    return coluna !== null && leitor.first(coluna, place, seen) ? coluna : null
  })
}

/** A field by name; each takes values from one place of a layout. */
function fieldOf(
  leitor: LeitorDeJson,
  value: unknown,
  path: Path,
  conhecidos: CamposConhecidos,
): CampoConhecido | null {
  const nome = leitor.text(value, path, { max: LIMITES.nome })
  if (nome === null) return null
  const campo = conhecidos.named(nome)
  if (campo === null) leitor.refuse(path, 'UNKNOWN', { ids: [shown(nome)] })
  return campo
}

function readColuna(
  leitor: LeitorDeJson,
  item: unknown,
  path: Path,
  campos: Set<string>,
  conhecidos: CamposConhecidos,
): ColunaDoLayout | null {
  if (!isObject(item)) return notObject(leitor, path)
  leitor.object(item, path, ['coluna', 'campo', 'le', 'codigos', 'prefixo'])
  const coluna = leitor.text(at(item, 'coluna'), [...path, 'coluna'], { max: LIMITES.coluna })
  const campo = fieldOf(leitor, at(item, 'campo'), [...path, 'campo'], conhecidos)
  const le = leitor.oneOf(at(item, 'le'), [...path, 'le'], LEITURAS)
  if (campo === null || le === null) return null
  leitor.first(campo.flat, [...path, 'campo'], campos)
  const kinds = KINDS[le]
  if (kinds !== null && !kinds.includes(campo.valores.tipo))
    leitor.refuse([...path, 'le'], 'INCONSISTENT', { field: 'campo' })
  const codigos = readCodigos(leitor, at(item, 'codigos'), [...path, 'codigos'], le, campo.valores)
  const prefixo = at(item, 'prefixo')
  if (prefixo !== undefined && le !== 'texto')
    leitor.refuse([...path, 'prefixo'], 'INCONSISTENT', { field: 'le' })
  const given = prefixo === undefined ? null : leitor.text(prefixo, [...path, 'prefixo'], { max: PREFIX })
  return coluna === null
    ? null
    : {
        coluna,
        campo: at(item, 'campo') as string,
        le,
        ...(codigos !== null && { codigos }),
        ...(given !== null && { prefixo: given }),
      }
}

function readCodigos(
  leitor: LeitorDeJson,
  value: unknown,
  path: Path,
  le: ColunaDoLayout['le'],
  valores: Valores,
): Record<string, string> | null {
  if (le !== 'codigo') {
    if (value !== undefined) leitor.refuse(path, 'INCONSISTENT', { field: 'le' })
    return null
  }
  if (value === undefined) leitor.refuse(path, 'REQUIRED', {})
  const entries = leitor.entries(value, path, LIMITES.codigos_do_layout)
  return Object.fromEntries(
    entries.flatMap(([text, codigo]) => {
      const known = readValue(leitor, codigo, [...path, shown(text)], valores)
      return known === null ? [] : [[text, known]]
    }),
  )
}

/** A value of a field as text: codes must be those that it has. */
function readValue(leitor: LeitorDeJson, value: unknown, path: Path, valores: Valores): string | null {
  if (valores.tipo === 'bool') return readCodigo(leitor, value, path, TRUTH)
  if (valores.tipo === 'opcao' || valores.tipo === 'opcoes')
    return readCodigo(leitor, value, path, valores.codigos)
  return leitor.text(value ?? undefined, path, { max: LIMITES.rotulo })
}

function readConstantes(leitor: LeitorDeJson, value: unknown, path: Path, conhecidos: CamposConhecidos) {
  const entries = leitor.entries(value, path, LIMITES.colunas_do_layout)
  return Object.fromEntries(
    entries.flatMap(([nome, constante]) => {
      const campo = fieldOf(leitor, nome, [...path, shown(nome)], conhecidos)
      const known =
        campo === null ? null : readValue(leitor, constante, [...path, shown(nome)], campo.valores)
      return known === null ? [] : [[nome, known]]
    }),
  ) as Record<string, string>
}

/** The stand-in holds values of the same kind, and is another field. */
function readSubstitutos(leitor: LeitorDeJson, value: unknown, path: Path, conhecidos: CamposConhecidos) {
  const entries = leitor.entries(value, path, LIMITES.colunas_do_layout)
  return Object.fromEntries(
    entries.flatMap(([nome, outro]) => {
      const place = [...path, shown(nome)]
      const campo = fieldOf(leitor, nome, place, conhecidos)
      const substituto = fieldOf(leitor, outro ?? undefined, place, conhecidos)
      if (campo === null || substituto === null) return []
      if (campo === substituto || campo.valores.tipo !== substituto.valores.tipo)
        leitor.refuse(place, 'INCONSISTENT', { field: shown(nome) })
      return [[nome, outro as string]]
    }),
  ) as Record<string, string>
}
