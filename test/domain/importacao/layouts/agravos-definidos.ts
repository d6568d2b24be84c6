import assert from 'node:assert/strict'
import { chooseLayout } from '../../../../src/domain/importacao/layouts/choose.ts'
import type { ConvertedRow, Layout } from '../../../../src/domain/importacao/layouts/layout.ts'
import { definicaoOf, modelo, vigentesCom } from '../../../harness/agravos.ts'
import { contexto, type Linha } from './rows.ts'

/** A disease that no form has, with every kind of field. */
export const FEBRE_DO_RIO = definicaoOf({
  codigo: 'febre_do_rio',
  nome: 'Febre do Rio',
  descricao: 'Inventada',
  cid10_codes: ['Z98.1'],
  notificacao_obrigatoria: true,
  notificacao_imediata: false,
  prazo_encerramento_dias: 60,
  data_de_inicio: 'sintomas',
  blocos: ['notificacao', 'paciente', 'residencia', 'conclusao', 'hospitalizacao'],
  sinan: {
    agravos: ['Z981'],
    prefixos: ['Z98'],
    colunas: { hospitalizacao: 'RIO_HOSP', data_investigacao: null },
  },
  classificacoes: [
    { codigo: 'descartado', sinan: ['1'] },
    { codigo: 'confirmado', sinan: ['2', '7'] },
  ],
  criterios: [{ codigo: 'clinico', sinan: ['3'] }],
  evolucoes: [
    { codigo: 'obito', sinan: ['1'] },
    { codigo: 'cura', sinan: ['2'] },
    { codigo: 'mudanca_diagnostico', sinan: ['4'], classificacao: 'descartado' },
  ],
  campos: [
    { padrao: 'dados_especificos.febre', sinan: ['RIO_FEBRE', 'RIO_FEBR2'] },
    { nome: 'banho', rotulo: 'Banho de rio', tipo: 'bool', grupo: 'Rio', sinan: ['RIO_BANHO'] },
    {
      nome: 'margem',
      rotulo: 'Margem',
      tipo: 'opcao',
      grupo: 'Rio',
      sinan: ['UF'],
      opcoes: [
        { codigo: 'esquerda', rotulo: 'Esquerda', sinan: ['1'] },
        { codigo: 'direita', rotulo: 'Direita', sinan: ['2'] },
        { codigo: 'meio', rotulo: 'Meio', sinan: ['3'], ativo: false },
      ],
    },
    {
      nome: 'peixes',
      rotulo: 'Peixes',
      tipo: 'opcoes',
      grupo: 'Rio',
      sinan: ['RIO_PEIXES'],
      opcoes: [
        { codigo: 'pacu', rotulo: 'Pacu', sinan: ['1'] },
        { codigo: 'dourado', rotulo: 'Dourado', sinan: ['2'] },
      ],
    },
    {
      nome: 'mergulhos',
      rotulo: 'Mergulhos',
      tipo: 'inteiro',
      grupo: 'Rio',
      minimo: 1,
      maximo: 50,
      sinan: ['RIO_MERG'],
    },
    {
      nome: 'metros',
      rotulo: 'Metros',
      tipo: 'numero',
      casas: 1,
      grupo: 'Rio',
      minimo: 0,
      maximo: 9,
      sinan: ['RIO_METROS'],
    },
    {
      nome: 'data_banho',
      rotulo: 'Data do banho',
      tipo: 'data',
      grupo: 'Rio',
      sinan: ['RIO_DT'],
      antes_de: 'data_notificacao',
      mostrar_quando: [{ campo: 'banho', op: 'eq', valor: true }],
    },
    { nome: 'porto', rotulo: 'Porto', tipo: 'municipio', grupo: 'Rio', sinan: ['RIO_PORTO'] },
    { nome: 'relato', rotulo: 'Relato', tipo: 'texto', max: 10, grupo: 'Rio', sinan: ['RIO_RELATO'] },
    {
      nome: 'hiv',
      rotulo: 'HIV',
      tipo: 'bool',
      grupo: 'Rio',
      sigiloso: true,
      obrigatorio: true,
      sinan: ['HIV'],
    },
    { nome: 'mae', rotulo: 'Mãe', tipo: 'texto', max: 50, grupo: 'Rio', sinan: ['NM_MAE_PAC'] },
    { nome: 'antigo', rotulo: 'Antigo', tipo: 'bool', grupo: 'Rio', ativo: false, sinan: ['RIO_ANTIGO'] },
  ],
  layouts: [
    {
      nome: 'planilha_do_rio',
      reconhecer: ['PRAIA', 'QUANDO'],
      colunas: [
        { coluna: 'CODIGO', campo: 'numero_notificacao', le: 'texto', prefixo: 'RIO-' },
        { coluna: 'QUANDO', campo: 'data_inicio_sintomas', le: 'data' },
        { coluna: 'ANOS', campo: 'paciente_idade', le: 'anos' },
        { coluna: 'SEXO', campo: 'paciente_sexo', le: 'padrao' },
        { coluna: 'ESTADO', campo: 'estado_residencia', le: 'uf' },
        { coluna: 'CIDADE', campo: 'municipio_residencia', le: 'municipio' },
        { coluna: 'FIM', campo: 'evolucao', le: 'codigo', codigos: { ÓBITO: 'obito', Alta: 'cura' } },
        { coluna: 'MERGULHOS', campo: 'mergulhos', le: 'inteiro' },
        { coluna: 'BANHO', campo: 'banho', le: 'codigo', codigos: { sim: 'true', não: 'false' } },
        { coluna: 'RELATO', campo: 'relato', le: 'texto' },
      ],
      constantes: { classificacao_final: 'confirmado', criterio_confirmacao: 'clinico' },
      substitutos: { data_notificacao: 'data_inicio_sintomas' },
    },
  ],
})

export const vigentes = vigentesCom(
  FEBRE_DO_RIO,
  ...['leptospirose', 'leishmaniose_visceral', 'leishmaniose_tegumentar', 'hanseniase', 'malaria'].map(
    modelo,
  ),
)

export const RIO: Linha = {
  NU_NOTIFIC: '7654321',
  TP_NOT: '2',
  ID_AGRAVO: 'Z98.1',
  DT_NOTIFIC: '2024-04-25',
  DT_SIN_PRI: '2024-04-21',
  SG_UF: '26',
  ID_MN_RESI: '261160',
}

export function layoutFor(cabecalho: string[], textos = false, agravos = vigentes): Layout {
  const layout = chooseLayout(cabecalho, { ...contexto(), agravos, textos })
  assert.ok(!('refusal' in layout), 'refusal' in layout ? layout.refusal : '')
  return layout
}

export const converted = (linha: Linha, textos = false): ConvertedRow =>
  layoutFor(Object.keys(linha), textos).convert(Object.values(linha))

export function valid(linha: Linha, textos = false) {
  const row = converted(linha, textos)
  assert.ok(row.ok, row.ok ? '' : row.erro)
  return row
}

/** Fields of a row's case by name, own ones too. */
export const camposOf = (linha: Linha, textos = false) =>
  valid(linha, textos).campos as unknown as Record<string, unknown>

export const avisosOf = (linha: Linha, textos = false): string[] =>
  valid(linha, textos).avisos.map(({ column, message }) => `${column}: ${message}`)
