/** A service without cases. */
export const first = {
  lead: 'Nenhum caso ainda. Comece por um arquivo do SINAN ou por uma planilha, ou registre o primeiro caso à mão.',
  waiting:
    'Nenhum caso ainda. Assim que alguém registrar ou importar casos do seu território, eles aparecem aqui.',
  import: 'Importar um arquivo',
  create: 'Registrar um caso',
  demo: 'Só para experimentar? Encha este ambiente de testes com casos inventados:',
}
