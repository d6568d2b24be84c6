import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CampoProprio, Definicao } from '../../src/domain/casos/agravos/definicao.ts'
import { compared, merged } from '../../web/console/screens/agravos/definicao-merge.ts'
import { MALARIA } from './agravos-answers.ts'

const campo = (nome: string, more: Partial<CampoProprio> = {}): CampoProprio => ({
  ...{ nome, rotulo: nome, tipo: 'bool', grupo: 'Exames', sinan: [], opcoes: [], obrigatorio: false },
  ...{ obrigatorio_quando_modo: 'todos', mostrar_quando_modo: 'todos' },
  ...{ sigiloso: false, filtravel: false, ativo: true },
  ...more,
})
const before: Definicao = { ...MALARIA, campos: [campo('febre'), campo('tosse'), campo('gota')] }
const names = ({ campos }: Definicao) => campos.map((one) => ('nome' in one ? one.nome : one.padrao))

describe('Two versions of a definition over a common one', () => {
  it('are the other one where nothing was changed here', () => {
    const theirs = { ...before, nome: 'Malária e outras', campos: [campo('gota'), campo('febre')] }
    const versions = { before, mine: before, theirs }
    assert.deepEqual(compared(versions), { both: [], others: ['nome', 'campos.tosse'] })
    const found = merged(versions, {})
    assert.equal(found.nome, 'Malária e outras')
    assert.deepEqual(names(found).toSorted(), ['febre', 'gota'])
  })

  it('keep what each side changed apart, fields by their names', () => {
    const mine = { ...before, prazo_encerramento_dias: 30, campos: [...before.campos, campo('minha')] }
    const theirs = {
      ...before,
      descricao: 'Outra',
      campos: [campo('febre', { obrigatorio: true }), campo('tosse'), campo('gota'), campo('deles')],
    }
    const versions = { before, mine, theirs }
    assert.deepEqual(compared(versions), { both: [], others: ['descricao', 'campos.febre', 'campos.deles'] })
    const found = merged(versions, {})
    assert.equal(found.prazo_encerramento_dias, 30)
    assert.equal(found.descricao, 'Outra')
    assert.deepEqual(names(found), ['febre', 'tosse', 'gota', 'minha', 'deles'])
    assert.deepEqual(found.campos[0], campo('febre', { obrigatorio: true }))
  })

  it('ask about what both changed, a removal included, and follow the choice', () => {
    const mine = { ...before, nome: 'A minha', campos: [campo('febre'), campo('gota')] }
    const theirs = {
      ...before,
      nome: 'A deles',
      campos: [campo('febre'), campo('tosse', { rotulo: 'Tosse seca' }), campo('gota')],
    }
    const versions = { before, mine, theirs }
    assert.deepEqual(compared(versions), { both: ['nome', 'campos.tosse'], others: [] })
    const ours = merged(versions, { nome: 'mine', 'campos.tosse': 'mine' })
    assert.deepEqual([ours.nome, names(ours)], ['A minha', ['febre', 'gota']])
    const other = merged(versions, { nome: 'theirs', 'campos.tosse': 'theirs' })
    assert.deepEqual([other.nome, names(other)], ['A deles', ['febre', 'gota', 'tosse']])
  })

  it('do not differ by the order of their keys', () => {
    const turned = Object.fromEntries(Object.entries(before).toReversed()) as unknown as Definicao
    assert.deepEqual(compared({ before, mine: before, theirs: turned }), { both: [], others: [] })
  })
})
