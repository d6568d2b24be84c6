export const ajuda = {
  lead: 'Atalhos do teclado e onde achar mais.',
  keys: 'Teclado',
  key: 'Tecla',
  does: 'O que faz',
  palette: 'Abrir a busca de telas e ações',
  help: 'Abrir esta página',
  close: 'Fechar o que está aberto',
  followedBy: 'depois',
  goTo: (screen: string) => `Ir para ${screen}`,
  lettersNote: 'As teclas de uma letra não funcionam enquanto se digita em um campo.',
  more: 'Para programas',
  api: 'Documentação da API',
  apiNote: 'Todas as rotas, com exemplos, para quem integra outro sistema ao Vigia.',
  glossary: 'Glossário',
  terms: [
    [
      'Agravo',
      'Doença ou condição que se notifica: no Vigia, dengue, Zika, chikungunya e os que a instalação definir.',
    ],
    ['Caso provável', 'Todo caso notificado que não foi descartado.'],
    [
      'Caso confirmado',
      'Caso com classificação final que confirma a doença, por laboratório ou por critério clínico-epidemiológico.',
    ],
    [
      'Semana epidemiológica (SE)',
      'De domingo a sábado; a SE 1 é a primeira com a maior parte dos dias em janeiro. Alguns anos têm 53.',
    ],
    ['Incidência', 'Casos por 100 mil residentes no período.'],
    [
      'Ainda chegando',
      'As últimas quatro semanas, cujos casos ainda estão sendo digitados: a queda aparente não é queda.',
    ],
    [
      'Estimativa (nowcast)',
      'Quantos casos das últimas semanas haverá quando todos chegarem, pelo atraso habitual da digitação.',
    ],
    ['Rt', 'Quantos casos novos cada caso gera em média; acima de 1 a transmissão cresce.'],
    [
      'Diagrama de controle',
      'A faixa esperada de casos de cada semana, pelos anos anteriores; acima do limite superior há excesso.',
    ],
    [
      'Nível de alerta',
      'Verde, amarelo, laranja ou vermelho, pela transmissão e pela incidência da última semana encerrada.',
    ],
    ['Completude', 'Que parte dos campos importantes foi preenchida.'],
    [
      'Oportunidade',
      'Quantos dias passam entre um passo e o seguinte: sintomas, notificação, digitação, encerramento.',
    ],
    ['Encerramento', 'Classificação final e evolução definidas; o prazo é de 60 dias da notificação.'],
    ['SINAN', 'Sistema de Informação de Agravos de Notificação, de onde vêm os arquivos que se importam.'],
    ['Território', 'Os lugares a que uma conta está ligada: só vê casos de quem mora ou foi notificado ali.'],
    ['Webhook', 'Endereço de outro sistema que o Vigia avisa quando algo acontece.'],
  ] as [string, string][],
}
