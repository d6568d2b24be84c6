export const visoes = {
  none: {
    casos: 'Nenhuma ainda. Salve o filtro, as colunas e a ordem desta lista sob um nome.',
    painel: 'Nenhuma ainda. Salve o recorte deste painel sob um nome.',
  },
  mine: 'Minhas visões',
  shared: 'Dos meus grupos',
  sharedBy: (group: string, person: string) => `${group}, de ${person}`,
  sharedWith: (group: string) => `compartilhada com ${group}`,
  remove: (name: string) => `Excluir a visão ${name}`,
  title: { casos: 'Salvar esta lista', painel: 'Salvar este painel' },
  name: 'Nome',
  nameMissing: 'Dê um nome à visão.',
  share: 'Compartilhar com',
  nobody: 'Ninguém, só eu',
  save: 'Salvar visão',
  saved: (name: string) => `Visão “${name}” salva.`,
  removed: (name: string) => `Visão “${name}” excluída.`,
}
