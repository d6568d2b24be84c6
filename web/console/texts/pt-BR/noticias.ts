import { formats } from './formats.ts'

const date = (at: Date) => formats.date(at, { day: 'numeric', month: 'long', year: 'numeric' })
const moment = (at: Date) =>
  `${formats.date(at)} às ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`

export const noticias = {
  lead: 'O que se publicou para quem usa o Vigia, do mais novo ao mais antigo.',
  new: 'Publicar notícia',
  none: 'Nenhuma notícia ainda.',
  noneCreate: 'Nenhuma notícia ainda. Publique a primeira.',
  all: 'Todas as notícias',
  scheduled: (at: Date) => `Programada para ${moment(at)}`,
  source: 'Fonte',
  original: 'Ler o original',
  originalNote: '(abre em outra janela)',
  changed: (at: Date) => `Alterada em ${moment(at)}`,
  edit: 'Editar',
  remove: 'Excluir',
  removeTitle: 'Excluir esta notícia?',
  removeNote: 'Ninguém mais a lê. Não há como voltar.',
  saved: 'Notícia salva.',
  form: {
    create: 'Publicar notícia',
    edit: 'Editar notícia',
    titulo: 'Título',
    resumo: 'Resumo (opcional)',
    conteudo: 'Texto',
    conteudoNote: 'Texto simples: uma linha vazia separa parágrafos.',
    fonte: 'Fonte (opcional)',
    url: 'Endereço do original (opcional)',
    publicado: 'Publicar em (horário deste computador)',
    publicadoNote: 'Vazio: agora. Com data futura, aparece como programada.',
    missing: 'Preencha este campo.',
    preview: 'Ver como fica',
    write: 'Continuar a escrever',
    publish: 'Publicar',
    save: 'Salvar',
  },
  date,
  moment,
}
