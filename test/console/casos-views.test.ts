import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import {
  ALL,
  BEFORE,
  CASO,
  casosOf,
  detalhe,
  EMPTY,
  excluidos,
  identified,
  LIST,
  lista,
  PENDENCIAS,
  withoutPendencias,
} from './casos-data.ts'

const never = new Promise<void>(() => {})
const open = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const all = casosOf()
const reading = casosOf(['agravos.listar'])

const VIEWS: View[] = [
  { name: 'casos', picture: true, path: '/casos', answers: all, seen: '4418821' },
  {
    name: 'casos-filtrados',
    picture: true,
    path: '/casos?agravo=dengue&municipio=2604106&sexo=F&busca=salgado&uf=SP&ordem=-idade&pagina=2',
    answers: { ...all, [LIST]: lista(965, 2) },
    seen: 'Dengue em Caruaru',
  },
  { name: 'casos-so-leitura', path: '/casos', answers: reading, seen: '4418821' },
  {
    name: 'casos-carregando',
    path: '/casos',
    answers: { ...all, [LIST]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'casos-erro',
    path: '/casos',
    answers: { ...all, [LIST]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'casos-nenhum-ainda',
    path: '/casos',
    answers: { ...all, [LIST]: EMPTY },
    seen: 'Nenhum caso ainda',
  },
  {
    name: 'casos-nenhum-no-filtro',
    picture: true,
    path: '/casos?uf=PE&sexo=M',
    answers: { ...all, [LIST]: [EMPTY, lista(5_000)] },
    seen: 'Com todos os notificados:',
  },
  {
    name: 'casos-resumo',
    path: '/casos',
    answers: all,
    act: async (page) => {
      await page.getByText('4418822').waitFor()
      for (const key of ['j', 'j', 'x', ' ']) await page.keyboard.press(key)
    },
    seen: '1 caso selecionado',
  },
  {
    name: 'filtro-classificacao',
    path: '/casos',
    answers: all,
    act: open(/^Classificação/),
    seen: 'Todos, menos os descartados',
  },
  {
    name: 'filtro-territorio',
    path: '/casos?uf=PE',
    answers: all,
    act: async (page) => {
      await open(/^Território/)(page)
      await page.locator('.popover :focus').waitFor()
      await page.keyboard.type('caru')
    },
    seen: 'RS Caruaru',
  },
  {
    name: 'filtro-periodo',
    path: '/casos?periodo=202601..202610',
    answers: all,
    act: open(/^Período/),
    seen: 'Semana (SS/AAAA)',
  },
  { name: 'filtro-mais', path: '/casos', answers: all, act: open('Mais filtros'), seen: 'Unidade (CNES)' },
  {
    name: 'casos-exportar',
    path: '/casos',
    answers: all,
    act: open('Exportar'),
    seen: 'Fica registrado na auditoria',
  },
  {
    name: 'casos-extrair',
    path: '/casos?agravo=dengue',
    answers: casosOf([...ALL, 'agravos.extrair']),
    act: async (page) => {
      await open('Exportar')(page)
      await page.getByRole('radio', { name: /^Extrato para pesquisa/ }).check()
      await page.getByRole('dialog').getByRole('button', { name: 'Exportar' }).click()
    },
    seen: 'Ao menos 10 caracteres.',
  },
  { name: 'caso', picture: true, path: '/casos/7', answers: all, seen: 'Linha do tempo' },
  {
    name: 'caso-aberto',
    picture: true,
    path: '/casos/7',
    answers: {
      ...all,
      [CASO]: {
        body: detalhe({ status: 'em_investigacao', data_encerramento: null, anexos: [], origem: null }),
      },
      [PENDENCIAS]: {
        body: {
          ...withoutPendencias.body,
          items: [
            {
              pendencias: [
                { codigo: 'atrasado', prazo: '2026-05-11', dias: 187 },
                { codigo: 'sem_classificacao', prazo: null, dias: null },
              ],
            },
          ],
        },
      },
    },
    seen: /O prazo para encerrar venceu/,
  },
  {
    name: 'caso-identificado',
    picture: true,
    path: '/casos/7',
    answers: { ...all, [CASO]: [{ body: detalhe() }, { body: identified() }] },
    act: async (page) => {
      await open('Identificar paciente')(page)
      await page.getByRole('button', { name: 'Mostrar' }).click()
    },
    seen: 'Esconder agora',
  },
  { name: 'caso-como-era', path: `/casos/7?em=${BEFORE}`, answers: all, seen: 'Voltar ao caso atual' },
  {
    name: 'caso-sem-identificar',
    path: '/casos/7',
    answers: reading,
    seen: 'Precisa da permissão agravos.identificar',
  },
  { name: 'caso-anexar', path: '/casos/7', answers: all, act: open('Anexar arquivo'), seen: 'O que é' },
  {
    name: 'caso-excluir',
    path: '/casos/7',
    answers: all,
    act: open('Excluir'),
    seen: 'O caso sai das listas',
  },
  {
    name: 'caso-inexistente',
    path: '/casos/7',
    answers: { ...all, [CASO]: refusal(404, 'NOT_FOUND') },
    seen: 'Este caso não existe',
  },
  {
    name: 'excluidos',
    picture: true,
    path: '/casos/excluidos',
    answers: { ...all, 'GET /api/v1/agravos/casos/excluidos': excluidos },
    seen: '4418829',
  },
  {
    name: 'excluidos-sem-acesso',
    path: '/casos/excluidos',
    answers: casosOf(ALL.filter((one) => one !== 'agravos.deletar')),
    seen: 'Sem acesso',
  },
]

describe('The screens of cases in every state', { skip: noBrowser }, () => inspectViews(VIEWS))
