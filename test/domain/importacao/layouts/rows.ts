import assert from 'node:assert/strict'
import { loadMunicipios } from '../../../../src/brasil/municipios.ts'
import { CONHECIDAS } from '../../../../src/domain/casos/agravos/registro.ts'
import type { Campos, CampoValue } from '../../../../src/domain/casos/campos.ts'
import type { TipoAgravo } from '../../../../src/domain/casos/enumeracoes.ts'
import { chooseLayout } from '../../../../src/domain/importacao/layouts/choose.ts'
import type { FileWarning, Layout, LayoutContext } from '../../../../src/domain/importacao/layouts/layout.ts'

/** Rows of invented people, as objects: column → text. */

export const municipios = await loadMunicipios()
export const HOJE = '2026-03-12'

export const contexto = (tipoAgravo: TipoAgravo | null = null): LayoutContext => ({
  municipios,
  agravos: CONHECIDAS,
  today: HOJE,
  tipoAgravo,
})

export function layoutOf(cabecalho: string[], tipoAgravo: TipoAgravo | null = null): Layout {
  const layout = chooseLayout(cabecalho, contexto(tipoAgravo))
  assert.ok(!('refusal' in layout), 'refusal' in layout ? layout.refusal : '')
  return layout
}

export function recusaOf(cabecalho: string[], tipoAgravo: TipoAgravo | null = null): string {
  const layout = chooseLayout(cabecalho, contexto(tipoAgravo))
  assert.ok('refusal' in layout)
  return layout.refusal
}

export type Linha = Record<string, string>

export const convert = (linha: Linha, tipoAgravo: TipoAgravo | null = null) =>
  layoutOf(Object.keys(linha), tipoAgravo).convert(Object.values(linha))

export function casoOf(linha: Linha, tipoAgravo: TipoAgravo | null = null): Campos {
  const convertida = convert(linha, tipoAgravo)
  assert.ok(convertida.ok, convertida.ok ? '' : convertida.erro)
  return convertida.campos
}

export function avisosOf(linha: Linha, tipoAgravo: TipoAgravo | null = null): FileWarning[] {
  const convertida = convert(linha, tipoAgravo)
  assert.ok(convertida.ok, convertida.ok ? '' : convertida.erro)
  return convertida.avisos.map(({ column, message }) => ({ column, message }))
}

export function erroOf(linha: Linha, tipoAgravo: TipoAgravo | null = null): string {
  const convertida = convert(linha, tipoAgravo)
  assert.ok(!convertida.ok)
  return convertida.erro
}

/** A field by its name, whatever its type. */
export const fieldOf = (campos: Campos, nome: string): CampoValue | undefined =>
  (campos as Record<string, CampoValue>)[nome]

export const SINAN: Linha = {
  NU_NOTIFIC: '1234567',
  TP_NOT: '2',
  ID_AGRAVO: 'A90',
  DT_NOTIFIC: '2024-04-25',
  DT_SIN_PRI: '2024-04-21',
  SG_UF: '26',
  ID_MN_RESI: '261160',
}

export const PROPRIO: Linha = {
  tipo_agravo: 'dengue',
  numero_notificacao: '1234567',
  data_notificacao: '2024-04-25',
  paciente_nome: 'Joana Teste da Silva',
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
}
